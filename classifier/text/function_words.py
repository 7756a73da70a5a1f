"""English words that carry grammar and no subject."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """
    a about above across after against all along also although among an and another any are around
    as at be because become been before being below between both but by can could did do does doing
    down during each either else enough even ever every few for from further had has have having
    here how however if in instead into is it its itself just least less like made make makes many
    may might more most much must near need neither never no nor not now of off often on once one
    only onto or other others our out over own per rather same several should since so some still
    such than that the their them themselves then there these they this those through throughout
    thus to together too toward towards two three under until up upon us use used uses using very
    via was we well were what when where whether which while who whole whom whose why will with
    within without would yet you your
    """.split()
)
