"""What every command that draws papers does with them: write the sheet, and say what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from classifier.commands.draw import Drawing
    from classifier.project import Project


def hand_out(drawing: Drawing, target: Path, project: Project, *, mark: bool) -> None:
    """Write the drawn papers to `target` and print them; nothing is written where there is none."""
    from classifier.commands.draw import drawing_lines, write_drawing

    if not drawing.papers:
        print("Nothing to draw: every paper is reviewed.")
        return
    write_drawing(target, drawing, project, mark=mark)
    print("\n".join(drawing_lines(drawing)))
    print(f"Fill {target}, then run `fieldguide review apply {target}`.")
