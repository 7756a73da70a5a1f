"""Tables as the programs of libraries write them: small ones of each shape, and the real ones."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.files.content import text_content
from classifier.papers.clean import plain_text
from classifier.papers.load import FileRecords, read_content, read_file
from classifier.papers.paper import Paper


def read(text: str) -> FileRecords:
    return read_content(text_content("p.csv", text))


def only(text: str) -> Paper:
    (paper,) = read(text).papers
    return paper


def test_scopus_ids_behind_names_go_and_pages_are_joined() -> None:
    paper = only(
        '"Authors","Author full names","Author(s) ID","Title","Year","Source title","Volume",'
        '"Art. No.","Page start","Page end","DOI","Abstract","Author Keywords","Index Keywords",'
        '"Document Type","Source"\n'
        '"Oven A.; Flour B.C.","Oven, Ann (57190000001); Flour, Bo C. (57190000002)","1; 2",'
        '"Bread that keeps","2021","Journal of Loaves","7","","11","19","10.1000/BREAD",'
        '"We bake &amp; keep.","rye; crust","Ovens; Heat","Conference paper","Scopus"\n'
    )
    assert paper.authors == ("Oven, Ann", "Flour, Bo C.")
    assert (paper.venue, paper.doi) == ("Journal of Loaves", "10.1000/bread")
    assert paper.abstract == "We bake & keep."
    assert paper.keywords == ("rye", "crust", "Ovens", "Heat")
    assert dict(paper.reference) == {"page": "11-19", "type": "paper-conference", "volume": "7"}


def test_springerlink_puts_nothing_between_people() -> None:
    paper = only(
        "Item Title,Publication Title,Item DOI,Authors,Publication Year\n"
        "Bread that keeps,Loaves,10.1000/bread,Ann OvenBo C. McFlourCy Salt,2021\n"
    )
    assert paper.authors == ("Ann Oven", "Bo C. McFlour", "Cy Salt")


def test_people_in_a_column_of_keywords_are_authors() -> None:
    file = read(
        "作者關鍵字,書名,年份,連結\n"
        '"Oven A., Flour B.-C.",Bread that keeps,2021,https://example.org/1\n'
        '"Salt D., Rye E.",Bread that rises,2022,https://example.org/2\n'
    )
    assert [paper.authors for paper in file.papers] == [
        ("Oven, A.", "Flour, B.-C."),
        ("Salt, D.", "Rye, E."),
    ]


def test_web_of_science_says_the_month_apart_and_numbers_as_fractions() -> None:
    paper = only(
        "Article Title,Author Full Names,Source Title,Publication Date,Year,Volume,Start Page\n"
        'Bread,"Oven, Ann; Flour, Bo",LOAVES,JAN 10,2025,15660.0,307.0\n'
    )
    assert paper.published.date == "2025-01-10"
    assert dict(paper.reference) == {"page": "307", "volume": "15660"}


def test_tags_of_web_of_science_head_a_file_without_quoting() -> None:
    paper = only(
        "PT\tAU\tAF\tTI\tSO\tPY\tDI\n"
        'C\tOven, A\tOven, Ann\t"Bread" and salt\tLOAVES\t2020\t10.1000/x\n'
    )
    assert (paper.title, paper.authors) == ('"Bread" and salt', ("Oven, Ann",))


def test_zotero_tags_are_keywords_and_arxiv_ids_are_found_in_extra() -> None:
    paper = only(
        '"Key","Item Type","Publication Year","Author","Title","Publication Title","Date",'
        '"Abstract Note","Extra","Notes","Manual Tags","Automatic Tags","Section"\n'
        '"ABCD2345","preprint","2020","Oven, Ann","Bread","arXiv:2003.01234 [cs]","2020-07-15",'
        '"We bake.","arXiv: 2003.01234","<p>good</p>","to read; rye","Ovens, Heat",""\n'
    )
    assert (paper.arxiv_id, paper.venue) == ("2003.01234", "")
    assert paper.published.date == "2020-07-15"
    assert paper.keywords == ("to read", "rye", "Ovens", "Heat")
    assert dict(paper.reference) == {"type": "article"}


def test_a_preamble_and_a_line_for_excel_stand_above_the_header() -> None:
    preamble = '"About the data: loaves.\nExported in May",,\n,,\n'
    paper = only(preamble + 'Rank,Title,Source title\n1,"Bread",Loaves\n')
    assert (paper.title, paper.venue, paper.sources[0].line) == ("Bread", "Loaves", 5)
    paper = only('sep=;\nTitel;Autor;Jahr\nBrot;"Ofen, Anna";2020\n')
    assert (paper.title, paper.authors) == ("Brot", ("Ofen, Anna",))


def test_one_short_column_files_the_papers_and_a_second_stands_below() -> None:
    rows = "".join(
        f"Loaf {n},https://arxiv.org/abs/2401.0000{n},{'Rye' if n % 2 else 'Wheat'},Crust\n"
        for n in range(4)
    )
    file = read("Paper,Link,Category,Subcategory\n" + rows)
    assert [paper.collections for paper in file.papers[:2]] == [
        ("Wheat / Crust",),
        ("Rye / Crust",),
    ]
    assert file.papers[3].arxiv_id == "2401.00003"


def test_lists_as_python_prints_them_and_categories_of_arxiv() -> None:
    paper = only(
        "id,titles,summaries,categories,authors\n"
        '2401.00001,Bread,We bake.,cs.CL cs.AI,"[\'Ann Oven\', ""Bo O\'Flour""]"\n'
    )
    assert paper.authors == ("Ann Oven", "Bo O'Flour")
    assert (paper.keywords, paper.arxiv_id) == (("cs.CL", "cs.AI"), "2401.00001")


def test_a_table_of_our_own_columns_tells_no_columns() -> None:
    assert read("title,Abstract,doi\nBread,We bake.,10.1000/x\n").file.columns_line() == ""


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.replace(",", "\t").encode("utf-16"),
        lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r").encode(),
        lambda text: text.encode("cp1252"),
        lambda text: gzip.compress(text.encode(), mtime=0),
    ],
    ids=["excel unicode text", "lone carriage returns", "windows", "gzip"],
)
def test_a_table_is_read_however_it_was_saved(
    tmp_path: Path, encode: Callable[[str], bytes]
) -> None:
    text = 'Titre,Auteurs,Année\n"Pain à l’ancienne",Zoé Four,2020\n'
    (tmp_path / "p").write_bytes(encode(text))
    (file,) = read_file(tmp_path / "p", "p")
    assert [(paper.title, paper.authors, paper.published.date) for paper in file.papers] == [
        ("Pain à l’ancienne", ("Zoé Four",), "2020")
    ]


def test_the_real_tables_give_every_record(shared: Path) -> None:
    folder = shared / "data" / "inputs"
    with (folder / "MANIFEST.csv").open(encoding="utf-8", newline="") as manifest:
        rows = [row for row in csv.DictReader(manifest) if row["format"] in ("csv", "tsv")]
    rows = [row for row in rows if "no_header" not in row["file"]]
    assert len(rows) == 6
    for row in rows:
        (file,) = read_file(folder / row["file"], row["file"])
        assert (row["file"], len(file.papers)) == (row["file"], int(row["records"]))
        assert sum(bool(paper.authors) for paper in file.papers) >= 0.99 * len(file.papers)
        assert len(file.faults) <= 1


@pytest.mark.parametrize(
    ("name", "title", "abstract"),
    [
        ("consensus_named_scopus.csv", "Title", "Abstract"),
        ("scopus_welding.csv", "Title", "Abstract"),
        ("wos_unlearning.csv", "Article Title", "Abstract"),
        ("zotero_deepfake.csv", "Title", "Abstract Note"),
    ],
)
def test_texts_are_those_that_csv_reads(shared: Path, name: str, title: str, abstract: str) -> None:
    path = shared / "data" / "inputs" / "csv" / name
    (file,) = read_file(path, name)
    with path.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    # Markup is read as text, which csv does not.
    pairs = [
        (paper, row)
        for paper, row in zip(file.papers, rows, strict=True)
        if "<" not in row[abstract] and "&" not in row[abstract]
    ]
    same = sum(
        paper.title.split() == plain_text(row[title]).split()
        and paper.abstract.split() == plain_text(row[abstract]).split()
        for paper, row in pairs
    )
    assert same >= 0.99 * len(pairs)


def test_numbers_that_a_spreadsheet_made_of_ids_are_read_as_meant() -> None:
    first, second = read(
        "Title,Publication Date,arXiv ID,Volume\n"
        "Rye,2024-01-15,2401.1023,12.0\nSalt,15.1.2024,704.001,3\n"
    ).papers
    assert (first.arxiv_id, first.published.date) == ("2401.10230", "2024-01-15")
    assert (second.arxiv_id, second.published.date) == ("0704.0010", "2024-01-15")
    assert dict(first.reference)["volume"] == "12"


def test_a_thousand_columns_and_a_doubled_one_are_read() -> None:
    wide = [f"x{n}" for n in range(1000)]
    text = f"{','.join(wide)},Title,Authors,Authors\n{'1,' * 1000}Bread,Ann Oven,\n"
    file = read(text)
    assert [(paper.title, paper.authors) for paper in file.papers] == [("Bread", ("Ann Oven",))]


def test_exports_of_other_columns_give_no_warning() -> None:
    file = read(
        "asreview_record_id,title,abstract,authors,keywords,year,asreview_label,asreview_time\n"
        "0,Bread,We bake.,Ann Oven,rye,2024,1,2024-05-06\n"
    )
    assert (len(file.papers), file.faults) == (1, ())


def test_a_column_of_links_may_hold_the_doi() -> None:
    file = read(
        "Titel,Jahr,Link\n"
        "Bread that keeps,2021,https://doi.org/10.1000/KEEPS\n"
        "Bread that rises,2022,10.1000/rises\n"
        "Bread that sinks,2023,https://example.org/10.1000/sinks\n"
    )
    assert [(paper.doi, paper.url) for paper in file.papers] == [
        ("10.1000/keeps", "https://doi.org/10.1000/KEEPS"),
        ("10.1000/rises", ""),
        ("", "https://example.org/10.1000/sinks"),
    ]


def test_rows_of_unquoted_commas_are_refused_with_their_number() -> None:
    with pytest.raises(InputError) as caught:
        read(
            "Title,Abstract,DOI\n"
            "Bread,We bake, rest, and eat.,10.1000/b.1\n"
            "Salt,We mine.,10.1000/b.2\n"
            "Rye,We mow, thresh, and mill.,10.1000/b.3\n"
            "Oats,We sow, wait, and mow.,10.1000/b.4\n"
        )
    assert str(caught.value) == snapshot(
        "p.csv:2: error: found 3 of 4 rows with more cells than the header; expected as many cells as the header. Its texts contain commas without quotes. Save it again with quotes."
    )


def test_a_table_with_a_broken_quote_is_refused_with_its_line() -> None:
    broken = 'Loaf 1,We bake.\nLoaf 2,"We "bake" on.\n'
    with pytest.raises(InputError, match=r"p\.csv:3: error: found an unclosed quote"):
        read(f"Title,Abstract\n{broken}")


def test_the_tags_of_ris_are_read_as_columns_all_of_them() -> None:
    paper = only(
        "AU,TI,PY,T2,VL,SP,EP,DO,UR,AB,KW\n"
        '"Oven, A.; Flour, B.",Bread,2019,Loaves,1,2,9,10.1000/b.1,https://example.org/1,'
        "We bake.,rye; salt\n"
    )
    assert (paper.authors, paper.venue, paper.doi) == (
        ("Oven, A.", "Flour, B."), "Loaves", "10.1000/b.1",
    )  # fmt: skip
    assert (paper.url, paper.keywords) == ("https://example.org/1", ("rye", "salt"))
    assert dict(paper.reference) == {"page": "2-9", "volume": "1"}


def test_pubmed_ends_its_authors_with_a_full_stop_and_puts_groups_behind_them() -> None:
    rows = (
        '1,Nets,"Oven A, Flour BC; Southern Bread Team.",J Net,2018\n'
        '2,Loaves,"Rye CL, Oats OP, Bran RE.",J Net,2020\n'
        "3,Salt,Lough SO.,J Net,2020\n"
    )
    papers = read(f"PMID,Title,Authors,Journal/Book,Publication Year\n{rows}").papers
    assert [paper.authors for paper in papers] == [
        ("Oven, A", "Flour, BC", "Southern Bread Team"),
        ("Rye, CL", "Oats, OP", "Bran, RE"),
        ("Lough, SO",),
    ]


def test_entities_are_letters_before_a_list_is_split_at_semicolons() -> None:
    paper = only(
        "title,abstract,authors,year\n"
        'Salt &amp; <i>rye</i>,p &lt; 0.05,"O&#39;Oven, S&eacute;an; Fl&uuml;r, B&ouml;",2020\n'
    )
    assert (paper.title, paper.abstract) == ("Salt & rye", "p < 0.05")
    assert paper.authors == ("O'Oven, Séan", "Flür, Bö")


@pytest.mark.parametrize(
    ("stated", "doi"),
    [
        ("10.1101/2022.02.01.478760.abstract", "10.1101/2022.02.01.478760"),
        ("10.1101/2022.02.01.478760.full.pdf", "10.1101/2022.02.01.478760"),
        ("10.1093/bread/esab078/6496654", "10.1093/bread/esab078"),
        ("10.1002/bread.22243", "10.1002/bread.22243"),
    ],
)
def test_publish_or_perish_takes_dois_out_of_addresses(stated: str, doi: str) -> None:
    paper = only(
        f"Title,Source,DOI,FullTextURL,ArticleURL\nBread,loaves.example.org,{stated},,"
        "https://loaves.example.org/1\n"
    )
    assert (paper.doi, paper.venue, paper.url) == (doi, "", "https://loaves.example.org/1")


def test_stars_and_qualifiers_of_medline_are_no_part_of_a_keyword() -> None:
    paper = only("key,title,keywords\nr-1,Bread,*Rye/growth & development;Ovens/history;AC/DC\n")
    assert paper.keywords == ("Rye", "Ovens", "AC/DC")


@pytest.mark.parametrize("name", ["Broad Topic", "手法", "Method", "Research topic"])
def test_any_name_of_a_column_by_which_people_file_will_do(name: str) -> None:
    rows = "".join(f"Loaf {n},{'Rye' if n % 2 else 'Wheat'},Crust\n" for n in range(12))
    file = read(f"Paper,{name},Subtopic\n{rows}")
    assert file.papers[1].collections == ("Rye / Crust",)
    unlike = "".join(f"Loaf {n},Way {n},Crust\n" for n in range(12))
    assert read(f"Paper,{name},Year\n{unlike}").papers[1].collections == ()


def test_a_subtopic_alone_files_the_papers() -> None:
    rows = "".join(f"Loaf {n},{'Rye' if n % 2 else 'Wheat'}\n" for n in range(4))
    assert read(f"Paper,Subtopic\n{rows}").papers[1].collections == ("Rye",)


def test_a_date_posted_is_a_date_and_a_first_author_an_author() -> None:
    paper = only("Title,First author,date_posted\nBread,Ann Oven,2024-05-01\n")
    assert (paper.published.date, paper.authors) == ("2024-05-01", ("Ann Oven",))


@pytest.mark.parametrize("title", ["NA", "None"])
def test_a_word_for_nothing_may_be_a_title(title: str) -> None:
    paper = only(f"Title,Authors,Abstract\n{title},Ann Oven,NA\n")
    assert (paper.title, paper.abstract) == (title, "")
