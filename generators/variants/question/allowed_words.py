"""Words that a generated sentence may use for a problem: common words and the stems of the problem's own words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_FINITE = (
    "is are was were has have had does did will costs cost makes made earns earned needs needed spends spent takes took gets got "
    "gives gave pays paid sells sold buys bought eats ate uses used drinks drank reads read writes wrote runs ran walks walked "
    "drives drove rides rode swims swam works worked plays played collects collected picks picked bakes baked cooks cooked "
    "saves saved receives received contains contained holds held weighs weighed travels traveled travelled drops dropped "
    "wins won loses lost scores scored catches caught finds found owes owed charges charged produces produced grows grew "
    "plants planted raises raised keeps kept brings brought sees saw watches watched sleeps slept covers covered fills filled "
    "lasts lasted leaves left lays laid feeds fed completes completed finishes finished burns burned burnt consumes consumed "
    "builds built carries carried counts counted cuts cut donates donated decorates decorated delivers delivered draws drew "
    "fits gains gained gathers gathered goes went harvests harvested increases increased decreases decreased jumps jumped knits "
    "knitted knit learns learned lifts lifted lives lived loads loaded measures measured moves moved opens opened orders "
    "ordered packs packed paints painted practices practiced prepares prepared prints printed provides provided puts put "
    "rents rented returns returned seats sends sent serves served shares shared sits spots spotted starts started stays "
    "stayed studies studied stands throws threw types typed uses visits visited washes washed wears wore yields yielded "
    "reaches reached requires required adds added adopts adopted attends attended becomes became begins began breaks broke "
    "climbs climbed comes came creates created deposits deposited digs dug fixes fixed flies flew hatches hatched hits hit "
    "invites invited invests invested joins joined kills killed mows mowed performs performed pours poured rescues rescued "
    "sews sewed ships shipped shoots shot skips skipped slices sliced steals stole stores stored takes teaches taught tells told "
    "texts texted tips tipped totals totaled trades traded trains trained transports transported turns turned unloads waters "
    "withdraws withdrew accounts costed arrives arrived answers answered asks asked blew blows boils boiled borrows borrowed "
    "checks checked chooses chose cleans cleaned clears cleared contributes contributed crosses crossed destroyed destroys "
    "distributes distributed divides divided downloads downloaded drains drained drew earned edits edited employs employed "
    "equals exercises exercised expects expected folds folded follows followed fights hikes hiked hires hired impresses invented "
    "likes liked loves loved mails mailed managed manages melts misses missed offers offered owns owned passes passed "
    "pulls pulled pushes pushed recycles recycled removes removed rolls rolled seizes separated ships shops signed sings sang "
    "solved solves splits sprays squeezes stacks stacked stops stopped stretches stretched submitted swings swept sweeps "
    "tested tests trims trimmed uploads volunteers volunteered voted wants wanted wraps wrapped"
)
FINITE = frozenset(_FINITE.split())
"""Verbs as they stand with a subject; words that may be participles alone count where nothing else is there."""
_COMMON = (
    "a about after again all altogether also am an and another any are as at away back be because been before being between "
    "both by can come day days did do does done during each end entire every everyone everything extra far first for from "
    "full general given going gone half has have her here herself him himself his how however in initial initially into is it its just "
    "last later less longer made many more most much my new next no not now number of off on only onto or original originally "
    "other others out over own part per piece pieces remain remained remaining remains rest same several she he they their them themselves so some "
    "still such sum than that the then there these this those through throughout time times to today together total totaled too "
    "twice until up upon was way week weeks well were what when where which while who whole whose will with within without worth "
    "year years month months hour hours minute minutes second seconds cents cent dollar dollars amount amounts average combined "
    "cost costs price prices money leaving leftover left down across around against difference older younger taller shorter "
    "heavier longer fewer greater people person children kids men women boys girls items item things thing sold bought "
    "ate paid gave went took got spent earned won lost grew flew drove ran swam kept sent found left put saw read wrote drank "
    "has had made given taken eaten spends earns pays buys sells eats takes gives gets goes drives runs keeps needs uses used "
    "need use pay buy sell eat take give get go make earn spend total totals pound pounds cover covers altogether plus additional "
    "afterwards already enough long old high tall wide far left-over finish finishes reach reaches receive receives received "
    "profit revenue earnings income area perimeter volume distance length width height weight age speed rate percentage percent"
)
COMMON = frozenset(_COMMON.split())
"""Words that belong to no problem in particular."""
_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
_ENDINGS = re.compile(r"(?:['’]s?|ies|ied|ying|es|ed|ing|ers|er|s|y|e)$")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return [match.group().lower() for match in _WORD.finditer(text)]


def stem(word: str) -> str:
    """Return a word without its ending, enough to find it again in other sentences."""
    bare = _ENDINGS.sub("", word) if len(word) > 3 else word
    return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text."""
    return frozenset(
        stem(part) for word in words_of(text) for part in (word, *word.split("-"), word.removesuffix("'s"))
    )


def unknown_words(sentence: str, known: Collection[str]) -> list[str]:
    """Return the words of a sentence that are neither common nor among the stems of its problem."""
    return [
        word
        for word in words_of(sentence)
        if word not in COMMON and word.removesuffix("'s") not in COMMON and stem(word) not in known
    ]


_CAPITAL = re.compile(r"[A-Z][A-Za-z]+")


def strange_names(sentence: str, text: str) -> list[str]:
    """Return the capitalised words of a sentence that a text does not have; common words may begin it."""
    known = set(_CAPITAL.findall(text))
    return [
        match.group()
        for match in _CAPITAL.finditer(sentence)
        if match.group() not in known
        and not (match.start() == 0 and re.search(rf"\b{match.group().lower()}\b", text.lower()))
        and not (match.start() == 0 and match.group().lower() in COMMON)
    ]
