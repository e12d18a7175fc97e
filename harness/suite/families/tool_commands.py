"""`gtp.tools.*`: commands for tools such as GoGui and gomill: texts, times, and moves set up in one line."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.check.model import Ability
from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.script import NEW, VERTEX
from harness.commands.tool_answers import (
    AnalyzeCommands,
    AnalyzeTypes,
    RisingSeconds,
    WholeAnswers,
    WholeText,
)
from harness.suite import statement
from harness.suite.statement import having

must = partial(statement.must, clause="gtp-tools")
should = partial(statement.should, clause="gtp-tools")
must_set_up = partial(statement.must, clause="gtp-position")

ANALYZE = "gtp.tools.analyze-commands"
STONES = "play b C3\nplay w D4\n"


CHECKS = (
    must("gtp.tools.queries", "The answer to each listed query has no empty line inside.",
         WholeAnswers(),
         hint="print no empty line before the end of an answer: it ends the answer",
         kills="description-blank-line"),
    must("gtp.tools.cputime", "cputime answers seconds that never fall.",
         RisingSeconds("cputime"), requires=having("cputime"),
         hint="answer the processor time of the engine in seconds, as a bare number",
         kills="cpu-time-falls cpu-time-with-unit", tolerates="cpu-time-whole"),
    must("gtp.tools.gomill-cpu-time", "gomill-cpu_time answers seconds that never fall.",
         RisingSeconds("gomill-cpu_time", may_be_refused=True), requires=having("gomill-cpu_time"),
         hint="answer the processor time of all searches so far in seconds; refuse if it is not known",
         kills="gomill-cpu-time-nan", tolerates="cpu-time-whole cpu-time-unknown"),
    must("gtp.tools.describe-engine", "gomill-describe_engine answers with one text.",
         WholeText("gomill-describe_engine"), requires=having("gomill-describe_engine"),
         hint="print no empty line inside the text: it ends the answer", kills="description-blank-line"),
    must("gtp.tools.explain-last-move", "gomill-explain_last_move answers with one text after a move.",
         WholeText("gomill-explain_last_move", (*NEW.split("\n")[:2], *STONES.splitlines(), "genmove b")),
         requires=having("gomill-explain_last_move"),
         hint="answer a comment on the last generated move, an empty one if there is none",
         kills="move-unexplained"),
    must("gtp.tools.keywords", "gomill-genmove_ex without arguments lists the keywords that it knows.",
         dialogue("gomill-genmove_ex -> ="), requires=having("gomill-genmove_ex"),
         hint="answer one keyword a line, and nothing if there is none", kills="keywords-unlisted"),
    must("gtp.tools.keyword-ignored", "gomill-genmove_ex ignores a keyword that it does not know.",
         dialogue(f"{NEW}{STONES}gomill-genmove_ex b no_such_keyword -> {VERTEX}"),
         requires=having("gomill-genmove_ex"),
         hint="answer as genmove does, whatever stands after the colour", kills="keyword-refused"),
    must(ANALYZE, "gogui-analyze_commands lists types, labels and commands that exist.",
         AnalyzeCommands(), requires=having("gogui-analyze_commands"),
         hint="print type/label/command on each line, with commands that list_commands has",
         kills="analyzes-unknown analyzes-without-label"),
    should("gtp.tools.analyze-types", "gogui-analyze_commands uses types that GoGui displays.",
           AnalyzeTypes(), requires=having("gogui-analyze_commands"), shares=ANALYZE,
           hint="use a type of the manual of GoGui, such as string, gfx or plist"),
    must_set_up("gtp.tools.setup", "gogui-setup places stones of both colours.",
         dialogue(NEW + "gogui-setup w A1 b A2 b C3 w D4 -> =\nplay b A1 -> ?\nplay b D4 -> ?\n"
                  "play w C3 -> ?\nplay b B1 -> =\nplay w E5\nplay b A1 -> ="),
         requires=replace(having("gogui-setup"), abilities=frozenset({Ability.CAPTURES})),
         hint="place each stone in the colour that stands before its vertex", kills="setup-all-black"),
    must_set_up("gtp.tools.play-sequence", "gogui-play_sequence plays all its moves.",
         dialogue(NEW + "gogui-play_sequence b C3 w D4 b pass w E5 -> =\n"
                  "play b C3 -> ?\nplay b D4 -> ?\nplay b E5 -> ?\nplay b F6 -> ="),
         requires=replace(having("gogui-play_sequence"), abilities=frozenset({Ability.PASSES})),
         hint="play each pair of a colour and a vertex", kills="sequence-of-one"),
    must_set_up("gtp.tools.sequence-refused", "A refused gogui-play_sequence plays none of its moves.",
         dialogue(NEW + "gogui-play_sequence b C3 w C3 -> ?\nplay w C3 -> ="),
         requires=having("gogui-play_sequence"),
         hint="take back the moves before the one that is refused", kills="sequence-left-half"),
    must("gtp.tools.interrupt", "gogui-interrupt succeeds and does nothing.",
         dialogue("gogui-interrupt -> ="), requires=having("gogui-interrupt"),
         hint="answer = and nothing else: the command only shows that searches can be interrupted",
         kills="interrupt-refused"),
)  # fmt: skip
