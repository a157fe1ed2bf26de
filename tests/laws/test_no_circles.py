"""No file needs itself by way of others, and what only types need counts. That no two rooms beside each other do is a
contract of import-linter."""

import grimp


def test_no_file_needs_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("referee", exclude_type_checking_imports=False)
    needs = {file: graph.find_modules_directly_imported_by(file) for file in graph.modules}
    assert len(needs) > 200
    while free := [file for file, needed in needs.items() if not needed & needs.keys()]:
        for file in free:
            del needs[file]
    assert sorted(needs) == [], "these need one another"
