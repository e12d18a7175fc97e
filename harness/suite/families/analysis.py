"""`gtp.analysis.*`: answers that go on until the next line (lz-analyze), and genmove with an analysis.

For example, the answer to `lz-analyze b 50` is `=`, then a line `info move C3 visits 9 …` twice a second;
when the next command arrives, an empty line ends the answer.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Ability
from harness.commands.analyses import (
    AnalysisEnds,
    AnalysisLegal,
    AnalysisRecords,
    AnalysisStarts,
    AnalysisVisits,
)
from harness.commands.analysis_arguments import AnalysisColour, BadIntervals, NoLegalMove
from harness.commands.analysis_ends import (
    AnalysesInARow,
    AnalysisIds,
    AnalysisKeepsBoard,
    BlankLineEnds,
    NothingLater,
)
from harness.commands.analysis_moves import (
    MoveColour,
    MoveIsMade,
    MoveIsNamed,
    SearchKeepsBoard,
)
from harness.suite import statement
from harness.suite.statement import relying_on

must = partial(statement.must, clause="gtp-analysis")
should = partial(statement.should, clause="gtp-analysis")
info = partial(statement.info, clause="gtp-analysis")

STARTS = relying_on(Ability.STARTS_ANALYSES)
ENDS = relying_on(Ability.ENDS_ANALYSES)
NAMES = relying_on(Ability.NAMES_ANALYSED_MOVES)

CHECKS = (
    must("gtp.analysis.starts", "An analysis begins with =, and prints lines of analysis while it goes on.",
         AnalysisStarts(),
         hint="print = with the id and a line feed at once, then a line for each interval; flush each line",
         kills="analysis-sign-missing analysis-after-its-end",
         tolerates="analysis-without-colour analysis-ends-by-itself analysis-line-a-move"),
    must("gtp.analysis.ends", "The next line ends an analysis with one empty line, and is answered after it.",
         AnalysisEnds(), requires=STARTS, shares="gtp.analysis.starts",
         hint="when input arrives: stop, print one empty line, then carry out the command that arrived; "
              "print no empty line before",
         kills="analysis-two-empty-lines analysis-next-glued analysis-empty-line-between "
               "analysis-ender-unanswered",
         tolerates="analysis-ends-by-itself analysis-printed-once"),
    must("gtp.analysis.records", "Each record of an analysis has a move, its visits and its winrate.",
         AnalysisRecords(), requires=ENDS, shares="gtp.analysis.ends",
         hint="print info move VERTEX visits N winrate W order N pv VERTEX …; other fields may stand between",
         kills="analysis-without-visits", tolerates="analysis-extra-fields analysis-line-a-move"),
    must("gtp.analysis.legal", "An analysis names legal moves only.",
         AnalysisLegal(), requires=ENDS, shares="gtp.analysis.records",
         hint="list the moves of the search; leave out points with stones, and the ban of a ko",
         kills="analysis-names-stones"),
    must("gtp.analysis.visits", "The visits of a move count from the beginning of an analysis.",
         AnalysisVisits(), requires=ENDS, shares="gtp.analysis.legal",
         hint="print the sum of all visits, not those since the line before",
         kills="analysis-visits-fall", tolerates="analysis-printed-once analysis-line-a-move"),
    must("gtp.analysis.id", "An analysis has the id of its command, and the next answer has its own.",
         AnalysisIds(), requires=ENDS,
         hint="print the id behind the = that begins the analysis; keep the id of the next command apart",
         kills="analysis-id-dropped"),
    must("gtp.analysis.in-a-row", "An analysis ends the analysis before it, and goes on in its place.",
         AnalysesInARow(), requires=ENDS,
         hint="end an analysis in the same way whatever command comes next, also another analysis",
         kills="analysis-not-by-another analysis-not-ended-by-another", tolerates="analysis-printed-once"),
    must("gtp.analysis.nothing-later", "No line of an analysis comes after its end.",
         NothingLater(), requires=ENDS,
         hint="wait for the search to stop before the empty line is printed",
         kills="analysis-goes-on"),
    must("gtp.analysis.keeps-board", "A move that an analysis names can be played after it.",
         AnalysisKeepsBoard(), requires=ENDS,
         hint="search on a copy of the board", kills="analysis-plays"),
    must("gtp.analysis.interval", "The engine survives an analysis with an interval that is no number.",
         BadIntervals(), requires=ENDS,
         hint="refuse an interval that cannot be read", kills="analysis-interval-crashes"),
    must("gtp.analysis.no-legal-move", "The engine survives an analysis for a side without a legal move.",
         NoLegalMove(), requires=ENDS,
         hint="print info move pass, or no line, where there is no move",
         kills="analysis-without-move-crashes", tolerates="analysis-silent-without-move"),
    should("gtp.analysis.colour", "An analysis for a word that is no colour is refused.",
           AnalysisColour(), requires=ENDS,
           hint="refuse a first word that is neither a colour nor an interval", kills="analysis-colour-any"),
    info("gtp.analysis.empty-line", "An empty line ends an analysis.",
         BlankLineEnds(), requires=ENDS,
         hint="some programs send an empty line to stop an analysis; GTP gives it no meaning"),
    must("gtp.analysis.genmove", "A genmove with analysis ends with the line play VERTEX.",
         MoveIsNamed(),
         hint="print =, lines of analysis, play VERTEX (or play pass, play resign), and one empty line",
         kills="analysis-genmove-bare", tolerates="analysis-genmove-without-lines"),
    must("gtp.analysis.genmove-plays", "A genmove with analysis makes the move that it names.",
         MoveIsMade(), requires=NAMES, shares="gtp.analysis.genmove",
         hint="put the move on the board, as genmove does", kills="analysis-genmove-not-played"),
    must("gtp.analysis.genmove-colour", "A genmove with analysis refuses a word that is no colour.",
         MoveColour(),
         hint="read the colour as genmove does", kills="analysis-colour-any"),
    must("gtp.analysis.search", "kata-search_analyze names a move and does not make it.",
         SearchKeepsBoard(),
         hint="search on a copy of the board", kills="analysis-search-plays"),
)  # fmt: skip
