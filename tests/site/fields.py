"""Small made-up surveys of three fields, with quotations, digests, numbers and odd signs."""

from __future__ import annotations

import json
from pathlib import Path

from classifier.project import Project

TAXONOMY = """\
survey: {{title: {title}, editors: [Ada], scope: "{scope}"}}
facets:
  topic:
    kind: multi
    categories:
      - {{id: first, name: "{first}", definition: "Work on *one* thing.", cues: {{anywhere: [{cue}]}}}}
      - {{id: second, name: Second, definition: "Work on others:\\n\\n1. this\\n2. that", cues: {{anywhere: [other]}}}}
lexicons:
  benchmarks: {{"Trial 2.0": [trial 2.0]}}
"""
FIELDS = {
    "medicine": {
        "title": "Sleep in nurses", "scope": "Nights <b>at</b> work & rest.", "first": "Naps [short]",
        "cue": "nap",
        "papers": [
            "We test whether a short nap helps nurses on nights. A nap of 20 min cut errors by 12.5% compared with no nap (p = 0.03).",
            "Methods: 412 nurses took part. Results: A nap improved alertness by 3 points in trial 2.0. Conclusions: A nap is worth it.",
            "A nap in 60 trials with nurses improved alertness by 25% compared with coffee , but not sleep at night ( p = 0.01 ) .",
        ],
    },
    "physics": {
        "title": "Thin films", "scope": "Films of 3*4 nm, _flat_.", "first": "Growth at 300 K", "cue": "growth",
        "papers": [
            "We study growth of films with 𝒳-ray light. The growth rate rises from 0.5 to 2.1 nm per second, a gain of 4×.",
            "Growth is slow. We propose a valve that makes growth 10 times faster, at a cost below $20 per run & film.",
            "We study growth of films on [eta(5)-CpFe(CO)(2)](2)Hg crystals, and find that the growth rate falls by 30% below 200 K.",
        ],
    },
    "history": {
        "title": "Letters of merchants", "scope": "Letters, 1450 to 1550.", "first": "Trade \\\\| goods", "cue": "trade",
        "papers": [
            "This paper reads 1,204 letters on trade. The share of letters on trade in wool fell by 18 percent after 1492.",
            "Trade letters lie. We show that “false” prices stand in 41% of 300 letters (p<0.05) of >100 words; nobody had counted them.",
        ],
    },
    "engineering": {
        "title": "Signed numbers", "scope": "Gains and losses, written in many ways.", "first": "Pumps", "cue": "pump",
        "papers": [
            "Our pump is a 31X speedup over the old one, five times more efficient, up to two times quieter and over six times smaller. "
            "It runs at a real-time factor of 0.0078, a × 1.8 speedup, and needs 28X fewer parts. Accuracy drops by 10 p.p. on trial 2.0, by 73pp at night.",
            "Results: the pump improves trial 2.0 by +0.5 mAP and by -0.07 MAE. Its load correlates with age (Pearson r = -0.479, P < .001; t=-4.82). "
            "Recall falls by -0.2 to -0.3. Eight scenes$\\unicode{x2013}$all real$\\unicode{x2014}$gain 12 pct.",
        ],
    },
}  # fmt: skip


def make_field(root: Path, name: str) -> Project:
    """Return a project of one of the fields: two or three abstracts, a digest and a title."""
    field = FIELDS[name]
    (root / "taxonomy").mkdir()
    (root / "papers").mkdir()
    words = {key: value for key, value in field.items() if key != "papers"}
    (root / "taxonomy" / "taxonomy.yaml").write_text(TAXONOMY.format(**words), encoding="utf-8")
    one, two, *more = field["papers"]
    papers = [
        {"title": f"A {field['cue']} of the first kind", "abstract": one, "published": "2021-03-04"},
        {"title": f"On {field['cue']} and others [draft]", "abstract": two, "published": "2022"},
        {"title": f"Other <i>matters</i> of {field['cue']}", "digest": "Other ways gain 7% on trial 2.0."},
        {"title": "Nothing else"},
        *({"title": f"More on {field['cue']}", "abstract": text} for text in more),
    ]  # fmt: skip
    lines = "".join(json.dumps(paper) + "\n" for paper in papers)
    (root / "papers" / "all.jsonl").write_text(lines, encoding="utf-8")
    return Project(root)
