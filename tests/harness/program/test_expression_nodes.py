"""Tests of expression nodes: every node can be addressed, replaced and compared."""

from hypothesis import given, strategies as st

from harness.program import ir
from harness.program.expression_nodes import filled, node_at, nodes, operands, replaced, substituted

LEAVES = st.sampled_from([ir.Name("a"), ir.Name("b"), ir.Const(2), ir.Const(3)])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(ir.Binary, st.sampled_from("+-*/"), inner, inner)
        | st.builds(ir.Unary, st.just("-"), inner)
        | st.builds(lambda left, right: ir.Call("max", (left, right), ()), inner, inner)
    ),
    max_leaves=6,
)
NEW = ir.Name("new")


@given(EXPRESSIONS)
def test_every_path_leads_to_its_node(expression: ir.Expr) -> None:
    """Every path leads to its node, each once, a node before its operands."""
    found = list(nodes(expression))
    assert all(node_at(expression, path) == node for path, node in found)
    assert [path for path, _ in found] == sorted({path for path, _ in found})
    assert found[0] == ((), expression)


@given(EXPRESSIONS, st.data())
def test_a_replaced_node_is_all_that_changes(expression: ir.Expr, data: st.DataObject) -> None:
    """Replacing a node changes that node alone, and replacing it by itself changes nothing."""
    path, node = data.draw(st.sampled_from(list(nodes(expression))))
    changed = replaced(expression, path, NEW)
    assert node_at(changed, path) == NEW
    assert replaced(expression, path, node) == expression
    for other, before in nodes(expression):
        if path != other[: len(path)] and other != path[: len(other)]:
            assert node_at(changed, other) == before


@given(EXPRESSIONS)
def test_a_renamed_variable_is_read_everywhere(expression: ir.Expr) -> None:
    """A renamed variable is read under the new name everywhere, and the other variables stay."""
    names = [node for _, node in nodes(filled(expression, {"a": NEW})) if isinstance(node, ir.Name)]
    before = [node for _, node in nodes(expression) if isinstance(node, ir.Name)]
    assert names == [NEW if node == ir.Name("a") else node for node in before]


@given(EXPRESSIONS, st.data())
def test_a_substitution_is_seen(expression: ir.Expr, data: st.DataObject) -> None:
    """One name or number for another, nothing where nothing or more than that differs."""
    found = [path for path, node in nodes(expression) if not operands(node)]
    path = data.draw(st.sampled_from(found))
    assert substituted(expression, replaced(expression, path, NEW)) == {NEW: node_at(expression, path)}
    assert substituted(expression, expression) == {}
    assert substituted(expression, ir.Binary("+", expression, NEW)) == {}
