"""Which field of a paper a column of a table, or a key of a JSON object, holds: by its name.

The names are those of the exports of Scopus, Web of Science, Zotero, PubMed, Dimensions, Lens,
IEEE Xplore, Springer, CNKI, ASReview, Rayyan, Covidence, Consensus, Elicit, Publish or Perish,
Semantic Scholar, OpenAlex, Hugging Face and of what people type, in ten languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz, process

# Role -> names, the best first: the first filled cell of a row is read. Roles with a colon are
# variables of CSL. Blanks in a name count for nothing.
_NAMES: Final[Mapping[str, str]] = {
    "title": """
        title|article title|document title|paper title|item title|title of paper|titles|full title
        |paper|title original|書名|书名|文獻標題|文献标题|標題|标题|題名|题名|篇名|論文題目
        |论文题目|论文标题|論文名|论文名称|文章标题|文章標題|title 题名|タイトル|論文タイトル
        |文献タイトル|제목|논문 제목|título|titulo|título del artículo|título do artigo|titre
        |titre de l article|titel|titolo|название|заглавие|название статьи|название документа
        |заголовок|display name""",
    "abstract": """
        abstract|abstract note|abstract text|paper abstract|summary|摘要|摘要內容|文摘
        |summary 摘要|抄録|要旨|要約|アブストラクト|초록|요약|resumen|resumo|résumé|resume
        |zusammenfassung|kurzfassung|riassunto|sommario|аннотация|реферат|краткое описание
        |content text""",
    "authors": """
        author full names|authors|author|author names|authors raw|creators|creator|by
        |authorships author display name|author list|authors list
        |first author|作者全名|作者|作者姓名|著者
        |著者名|author 作者|著者 全員|저자|저자명|저자 전체 이름|autores|autor
        |nombres completos de autores|auteurs|auteur|autoren|verfasser|autori|autore
        |авторы|автор""",
    "organisation": "organisation|organization",
    "date": """
        published|publication date|date published|date|date of publication|published date
        |published at|published on|publish date|publication date online|publication date print
        |online date|issue date|release date|pubdate|pubtime 发表时间|發表時間|发表时间|发表日期
        |出版日期|刊行日|発行日|発行年月日|출판일|발행일|fecha|fecha de publicación|data
        |data de publicação|date de publication|datum|veröffentlichungsdatum|erscheinungsdatum
        |data di pubblicazione|дата|дата публикации""",
    "year": """
        year|publication year|published year|pubyear|year published|publishing year
        |year of publication|yr|年份|出版年|出版年份|发表年份|年|発行年|出版年 月|연도|출판 연도
        |발행연도|año|año de publicación|ano|ano de publicação|année|année de publication|jahr
        |erscheinungsjahr|anno|год|год публикации|год издания""",
    "month": """
        published month|month|publication month|月|月份|mes|mois|monat|mese|месяц""",
    "day": "published day|day|publication day",
    "venue": """
        venue|publication title|source title|journal|journal title|journal book|journal name
        |publication|booktitle|proceedings title|conference name|conference title|conference
        |anthology title|secondary title|container title|source publication|full source title
        |full journal name|primary location source display name|journal name full|publication name
        |host venue display name|source|來源出版物名稱|来源出版物名称|來源標題|来源标题|期刊名稱
        |期刊名称|期刊|刊名|會議名稱|会议名称|source 文献来源|收录期刊|来源|出版物名|ジャーナル
        |雑誌名|誌名|出版物タイトル|掲載誌|저널|학술지|학술지명|학회지|출처 제목|revista
        |título de la fuente|título da fonte|fuente|periódico|revue|titre de la source|zeitschrift
        |quelle|titel der quelle|rivista|журнал|название источника|источник
        |abbreviated source title|journal abbreviation""",
    "arxiv_id": """
        arxiv id|arxiv|arxiv number|external ids ar xiv|eprint|arxiv identifier|paper arxiv id""",
    "doi": """
        doi|item doi|dois|doi number|doi doi|document doi|external ids doi|ids doi|doi link""",
    "url": """
        url|link|paper url|paper link|source url|external url|landing page url
        |primary location landing page url|dimensions url|consensus link|fulltexturl|abs url
        |abstract url|arxiv url|entry id|web link|website|href|連結|链接|網址|网址|リンク|링크
        |enlace|lien|ссылка|pdf url|pdf link|pdf|open access url|openaccesspdf|download url""",
    "code_urls": """
        code urls|code url|code|code link|github|github url|github link|github repo|repository
        |repo|repo url|代碼|代码|source code|コード|código|quellcode|код""",
    "keywords": """
        keywords|keyword|author keywords|authors keywords|author keyword|index keywords
        |manual tags|automatic tags|keywords plus|ieee terms|inspec controlled terms
        |inspec non controlled terms|mesh terms|mesh term|mesh|fields of study|research interest
        |concepts|terms|keywords display name|作者關鍵字|作者关键字|索引關鍵字|索引关键字|關鍵字
        |关键字|關鍵詞|关键词|keyword 关键词|キーワード|著者キーワード|索引キーワード|키워드
        |주제어|palabras clave|palabras clave de autor|palabras clave del autor|palavras chave
        |palavras chave do autor|mots clés|mots clefs|schlagwörter|schlüsselwörter|stichwörter
        |parole chiave|ключевые слова|ключевые слова автора|ключевые слова авторов""",
    "collections": """
        collections|collection|category|categories|topic|topics|broad topic|main topic
        |research topic|topic area|tags|tag|labels|label|folder
        |folders|group|groups|section|theme|themes|cluster|類別|类别|分類|分类|標籤|标签|主題|主题
        |手法|カテゴリ|カテゴリー|分野|タグ|범주|분류|주제|태그|categoría|categoria|tema|etiqueta
        |etiquetas|catégorie|thème|étiquette|étiquettes|kategorie|thema|categoria principale
        |argomento|категория|тема|метка|раздел""",
    "subcollection": """
        subcategory|subcategories|subtopic|subsection|subtheme|子類別|子类别|子分类|サブカテゴリ
        |subcategoría|subcategoria|sous catégorie|unterkategorie|подкатегория""",
    "extra": "extra|custom note|comment|comments|journal reference",
    "ids": "external ids|ids|identifiers",
    "author_count": "author count",
    "comment_count": "comment count",
    "abstract_kind": "abstract kind",
    "id": """
        id|paper id|record id|publication id|external id|document id|openreview id|forum id""",
    ":type": """
        item type|document type|publication type|type|content type|type of work|reference type
        |type of publication|文獻類型|文献类型|文獻類別|資料タイプ|文書タイプ|문헌 유형
        |tipo de documento|type de document|dokumenttyp|tipo di documento|тип документа""",
    ":volume": "volume|journal volume|vol|卷|巻|권|volumen|tome|band|том",
    ":issue": """
        issue|issue number|journal issue|number|no|期|期號|期号|号|호|número|numero|numéro|heft
        |выпуск|номер""",
    ":page": """
        pages|page|pagination|page range|頁碼|页码|页|ページ|페이지|páginas|seiten|страницы""",
    ":first-page": """
        start page|page start|first page|beginning page|起始頁碼|起始页|起始页码|開始ページ
        |시작 페이지|página de inicio|página inicial|page de début|anfangsseite|первая страница""",
    ":last-page": """
        end page|page end|last page|ending page|結束頁碼|结束页|结束页码|終了ページ|끝 페이지
        |página final|page de fin|endseite|последняя страница""",
    ":edition": "edition|auflage|édition|edición|edição|edizione|издание",
    ":article-number": "art no|article number|article no|文獻編號|论文编号|論文番号|논문 번호",
    ":publisher": """
        publisher|出版商|出版者|出版社|出版元|출판사|editorial|editora|éditeur|verlag
        |herausgeber verlag|editore|издатель|издательство""",
    ":publisher-place": "place|publisher city|place of publication|publisher place",
    ":ISSN": "issn|issns|issn isbn|issn eissn|eissn|electronic issn|journal issn",
    ":ISBN": "isbn|isbns|isbn13|electronic isbn|print isbn|eisbn",
    ":language": """
        language|language of original document|original language|原始文獻語言|原始文献语言|語言
        |语言|言語|原文の言語|언어|원본 언어|idioma|idioma de documento original|idioma original
        |langue|sprache|lingua|язык|язык оригинала""",
    ":collection-title": "book series title|series|series title|collection title",
    ":editor": """
        editor|editors|book editors|book editor|編者|编者|編輯|编辑|편집자|editores|herausgeber
        |редакторы""",
    ":citation-key": "citation key|citekey|bibtex key",
    ":PMID": "pmid|pubmed id|pubmed id pmid|external ids pub med|ids pmid",
    ":PMCID": "pmcid|pmc|pubmed central id|externalids pubmedcentral",
}  # fmt: skip

# The two-letter tags of Web of Science, which head the columns of its tab-delimited files.
_TAGS: Final = {
    "AF": "authors", "AU": "authors", "TI": "title", "AB": "abstract", "SO": "venue",
    "DI": "doi", "PY": "year", "PD": "date", "DE": "keywords", "ID": "keywords",
    "DT": ":type", "PT": ":type", "VL": ":volume", "IS": ":issue", "BP": ":first-page",
    "EP": ":last-page", "AR": ":article-number", "PU": ":publisher", "PI": ":publisher-place",
    "SN": ":ISSN", "EI": ":ISSN", "BN": ":ISBN", "LA": ":language", "SE": ":collection-title",
    "BE": ":editor", "PM": ":PMID", "CT": "venue", "J9": "venue",
}  # fmt: skip
_FEWEST_TAGS: Final = 5
# What screening tools add, and what everybody's tables hold that no field takes.
_NOT_READ: Final = re.compile(r"asreview .*|notes?|reasons?|cited by|times cited|affiliations?")
_NAMES_OF_FIELDS: Final = ("title", "authors", "abstract", "year", "keywords", "journal", "venue")
_LEAST_NEAR: Final = 4
_NEAR: Final = 85
"""How alike a misspelt name is, of 100."""

Roles = dict[int, tuple[str, int]]
"""Position of a column -> its role and the rank of its name, 0 the best."""


@lru_cache(2**12)  # every cell above the papers is asked whether it is in a header
def fold_name(name: str) -> str:
    """Return the name of a column as it is compared: lower case, words parted by one blank.

    >>> fold_name(" Author(s)_ID "), fold_name("publicationDate"), fold_name("ＤＯＩ")
    ('author s id', 'publication date', 'doi')
    """
    name = unicodedata.normalize("NFKC", name[:200])
    if not name.isupper():
        name = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)
    return " ".join(re.sub(r"[\W_]+", " ", name.casefold()).split())


_ROLES: Final = {
    fold_name(name).replace(" ", ""): (role, rank)
    for role, listed in reversed(list(_NAMES.items()))
    for rank, name in enumerate(listed.split("|"))
}


def role_of_name(name: str) -> tuple[str, int] | None:
    """Return the role of a column and its rank (0 is best), or None where its name says none."""
    return _ROLES.get(fold_name(name).replace(" ", ""))


def roles_of(header: Sequence[str]) -> Roles:
    """Return the roles of the columns of a header, by their names or by tags of Web of Science."""
    tags = _TAGS.keys() & {name.strip() for name in header}
    if "TI" in tags and len(tags) >= _FEWEST_TAGS:
        ranks = {tag: rank for rank, tag in enumerate(_TAGS)}
        named = ((at, name.strip()) for at, name in enumerate(header))
        return {at: (_TAGS[name], ranks[name]) for at, name in named if name in _TAGS}
    found = ((at, role_of_name(name)) for at, name in enumerate(header) if len(name) < 100)
    return {at: role for at, role in found if role is not None}


def meant(name: str) -> str:
    """Return the name of a column that `name` nearly is, or "".

    >>> meant("Tittle"), meant("Abstrct"), meant("Notes on bread"), meant("Title")
    ('Title', 'Abstract', '', '')
    """
    folded = fold_name(name)
    if len(folded) < _LEAST_NEAR or role_of_name(name) or is_known_but_not_read(name):
        return ""
    near = process.extractOne(folded, _NAMES_OF_FIELDS, scorer=fuzz.ratio, score_cutoff=_NEAR)
    return near[0].capitalize() if near else ""


def is_known_but_not_read(name: str) -> bool:
    """Say whether a column is known to hold what no field takes."""
    return bool(_NOT_READ.fullmatch(fold_name(name)))


LIST_LABELS: Final[Mapping[str, str]] = {
    label: name
    for name, labels in {
        "title": "title|paper title|论文标题|标题|题目",
        "authors": "authors|author|by|作者",
        "organisation": "institutions|institution|affiliations|affiliation|organization|"
        "organizations|organisation|org|lab|机构",
        "published": "date|published|published on|publication date|publish date"
        "|time|year|submitted|release date"
        "|released|pub date|日期|时间|年份",
        "venue": "venue|publisher|conference|journal|publication|published in|pub|pub.|source|"
        "conference/journal|会议|期刊",
        "keywords": "key|keys|keyword|keywords|key words|tags|tag|关键词",
        "collections": "category|categories|env|environment|environments|topic|topics|area|areas"
        "|task|tasks|domain|subject|also in|类别|分类",
        "abstract": "abstract|摘要",
        "digest": "tldr|tl;dr|tl dr|summary|description|key insight|highlights|highlight|overview"
        "|main idea|contribution|contributions|notes|note|简介|概述",
    }.items()
    for label in labels.split("|")
}
"""What lists in Markdown write before a colon, or above a column -> the field that it announces."""
LIST_TITLES: Final = (
    ("title", "paper title", "titles", "论文标题", "标题", "题目", "título", "titre", "titel"),
    ("paper", "papers", "paper name", "publication", "article", "work", "论文", "reference"),
    ("name", "method", "methods", "model", "approach", "benchmark", "dataset", "system", "project"),
)
"""Names of the columns of lists in Markdown that hold the paper, the likeliest first."""
_OF_ROLES: Final[Mapping[str, str]] = {
    "authors": "authors", "date": "published", "year": "published", "venue": "venue",
    "keywords": "keywords", "abstract": "abstract",
}  # fmt: skip


def label_of_column(name: str) -> str:
    """Return the field that a column of a list holds, by its folded name; "" where none says it."""
    role = role_of_name(name)
    return LIST_LABELS.get(name) or (_OF_ROLES.get(role[0], "") if role else "")
