"""Titles that many works share, such as "Editorial", "Introduction" or "Home"."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Words of headings, without accents, by language. A title of such words does not identify a work.
_HEADINGS: Final = """
    abstract abstracts acknowledgement acknowledgements acknowledgment acknowledgments afterword
    annex announcement announcements annual answer answers appendix author authors back
    bibliography book books brief calendar call case chapter column comment commentary comments
    communication communications conclusion conclusions contact content contents contributors
    correction corrections correspondence corrigenda corrigendum cover current dedication
    discussion editor editorial editorials editors epilogue errata erratum essay events final
    foreword front general glossary guest highlights home homepage index interview introduction
    introductory invited issue journal keynote letter letters list masthead matter meeting message
    meetings minutes news note notes notice notices obituaries obituary opening opinion overview
    page pages panel paper papers part perspective perspectives plenary poster posters preface
    preliminary president prologue publications question questions rebuttal recent references
    rejoinder remarks reply report reports response responses retraction review reviewer reviewers
    reviews section session short special summary supplement supplementary symposium table thanks
    title tribute tributes tutorial untitled update viewpoint viewpoints volume website welcome
    words workshop
    einfuhrung einleitung geleitwort inhalt inhaltsverzeichnis buchbesprechung buchbesprechungen
    herausgeber leserbrief leserbriefe literatur mitteilungen nachruf nachwort rezension
    rezensionen startseite vorwort zusammenfassung
    accueil avant avertissement compte comptes rendu rendus lettre lettres postface propos
    recension recensions remerciements sommaire
    carta cartas conclusiones contenido director editoriale editoriales entrevista epilogo
    indice inicio introduccion nota notas portada prefacio presentacion prologo resena resenas
    resumen sumario
    apresentacao conclusao entrevistas introducao resenhas resenha resumo
    conclusioni indici introduzione lettera lettere postfazione prefazione premessa presentazione
    recensione recensioni
    boekbespreking inhoud inleiding nawoord redactioneel voorwoord woord vooraf
    od recenzja recenzje redakcji slowo spis tresci wprowadzenie wstep
    введение вступление заключение от письмо предисловие редактора редакции редакционная рецензия
    рецензии содержание статья
"""
_JOINTS: Final = """
    a about an and by for from in of on the this to with
    am an aus das dem den der des die und von vor zum zur
    a au aux de des du et la le les l
    al con del e el en la las los y
    da das do dos o os i il della delle di gli
    het van een bij
"""
_WORDS: Final = frozenset(_HEADINGS.split())
_KNOWN_WORDS: Final = frozenset((*_HEADINGS.split(), *_JOINTS.split()))
# Chinese, Japanese and Korean are written without blanks, so whole titles are listed.
_WHOLE: Final = frozenset(
    "序 序言 序文 序论 前言 引言 导言 导论 绪论 后记 跋 编者按 编者的话 卷首语 社论 书评 简介 目录"
    " 结论 首页"
    " 前書き まえがき はじめに おわりに あとがき 巻頭言 書評 目次 序論 緒言"
    " 서문 서론 머리말 권두언 서평 목차 맺음말".split()
)
# Thai and Lao, Japanese and Chinese, Korean.
_UNSPACED: Final = (("\u0e00", "\u0eff"), ("\u3040", "\u9fff"), ("\uac00", "\ud7a3"))
_MAX_WORDS: Final = 6


def is_bare_title(title: str) -> bool:
    """Return whether a title is one word, or a heading that many works have.

    >>> is_bare_title("Editorial"), is_bare_title("Letter to the Editor"), is_bare_title("Vorwort")
    (True, True, True)
    >>> is_bare_title("Editorial bias in letters"), is_bare_title("前言")
    (False, True)
    """
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", title.casefold())
        if not unicodedata.combining(letter)
    )
    words = re.findall(r"[^\W\d_]+", plain)
    if len(title.split()) <= 1:
        is_spaced = not any(map(_is_unspaced, title))
        return is_spaced or unicodedata.normalize("NFKC", title.strip(" 。:：")) in _WHOLE
    if not words or len(words) > _MAX_WORDS:
        return not words
    return _KNOWN_WORDS.issuperset(words) and not _WORDS.isdisjoint(words)


def _is_unspaced(letter: str) -> bool:
    """Return whether a letter belongs to a script without blanks between words."""
    return any(first <= letter <= last for first, last in _UNSPACED)
