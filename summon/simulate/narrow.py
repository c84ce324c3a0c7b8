"""Whole numbers of 16 bits for compiled code, and what reads and writes the rules' NamedTuples of them.

numba computes with 64 bits wherever a number of Python takes part. The rules need no more than 16, and a processor does
four times as many of those at once; so the rules are compiled for a type of their own that stays narrow. It wraps
around silently: `summon.simulate` refuses beforehand what could grow too large.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, register_model

LARGEST = 2**15 - 1
"""The largest number of 16 bits."""

_BITS = ir.IntType(16)


class Narrow(types.Type):
    """The type of a whole number of 16 bits; any other whole number that meets one is cut to it."""

    def __init__(self) -> None:
        super().__init__("narrow")

    def can_convert_from(self, _context: Any, other: Any) -> Any:
        """Let numbers of Python stand in expressions with narrow ones."""
        return Conversion.unsafe if isinstance(other, types.Integer) else None

    def unify(self, _context: Any, other: Any) -> Any:
        """Let `narrow if … else 0` be narrow."""
        return self if isinstance(other, types.Integer) else None


narrow_type = Narrow()


@register_model(Narrow)
class _NarrowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _BITS)


@lower_cast(types.Integer, Narrow)
def _cut(_context: Any, builder: Any, kind: Any, _to: Any, value: Any) -> Any:
    return builder.trunc(value, _BITS) if kind.bitwidth > _BITS.width else value


@lower_cast(types.IntegerLiteral, Narrow)
def _constant(_context: Any, _builder: Any, kind: Any, _to: Any, _value: Any) -> Any:
    return ir.Constant(_BITS, kind.literal_value)


def _define(operation: Callable[..., Any], returns: Any, operands: int, lower: Callable[..., Any]) -> None:
    """Define an operator on narrow numbers by the instruction that it becomes."""
    arguments = [narrow_type] * operands
    infer_global(operation)(type("_Case", (ConcreteTemplate,), {"cases": [signature(returns, *arguments)]}))
    lower_builtin(operation, *arguments)(lambda _context, builder, _signature, values: lower(builder, *values))


for _operation, _instruction in {
    operator.add: ir.IRBuilder.add,
    operator.sub: ir.IRBuilder.sub,
    operator.and_: ir.IRBuilder.and_,
    operator.or_: ir.IRBuilder.or_,
    operator.lshift: ir.IRBuilder.shl,
    operator.rshift: ir.IRBuilder.ashr,
}.items():
    _define(_operation, narrow_type, 2, _instruction)

_define(operator.invert, narrow_type, 1, ir.IRBuilder.not_)


def _comparison(sign: str) -> Callable[..., Any]:
    return lambda builder, one, other: builder.icmp_signed(sign, one, other)


for _operation, _sign in {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}.items():
    _define(_operation, types.boolean, 2, _comparison(_sign))


@intrinsic
def narrow(_context: Any, number: Any) -> Any:
    """The narrow number of a whole number that fits."""
    return narrow_type(number), lambda context, builder, kinds, values: context.cast(
        builder, values[0], kinds.args[0], narrow_type
    )


@intrinsic
def wide(_context: Any, number: Any) -> Any:
    """The ordinary whole number of a narrow one."""
    if not isinstance(number, Narrow):
        return number(number), lambda _context, _builder, _kinds, values: values[0]
    return types.int64(number), lambda _context, builder, _kinds, values: builder.sext(values[0], ir.IntType(64))


@intrinsic
def word(_context: Any, number: Any) -> Any:
    """The number of 32 bits without sign that has the bits of a narrow one."""
    return types.uint32(number), lambda _context, builder, _kinds, values: builder.zext(values[0], ir.IntType(32))


@intrinsic
def count_bits(_context: Any, number: Any) -> Any:
    """How many bits of a narrow number are set."""
    return number(number), lambda _context, builder, _kinds, values: builder.ctpop(values[0])


def reader(kind: Any, stride: int) -> Any:
    """What reads a NamedTuple `kind` of narrow numbers from an array of 16 bits: `read(array, at)`.

    The values stand `stride` apart, the first one at `at`.
    """
    fields = len(kind._fields)

    @intrinsic
    def read(_context: Any, array: Any, at: Any) -> Any:
        def lower(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
            places = _places(context, builder, kinds, values, fields, stride)
            return context.make_tuple(builder, kinds.return_type, [builder.load(place) for place in places])

        return types.NamedUniTuple(narrow_type, fields, kind)(array, at), lower

    return read


def writer(kind: Any, stride: int) -> Any:
    """What writes a NamedTuple `kind` to an array of 16 bits: `write(array, at, values)`, as `reader` reads it."""
    fields = len(kind._fields)

    @intrinsic
    def write(_context: Any, array: Any, at: Any, told: Any) -> Any:
        def lower(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
            for field, place in enumerate(_places(context, builder, kinds, values, fields, stride)):
                value = builder.extract_value(values[2], field)
                builder.store(context.cast(builder, value, kinds.args[2][field], narrow_type), place)
            return context.get_dummy_value()

        return types.void(array, at, told), lower

    return write


def _places(context: Any, builder: Any, kinds: Any, values: Any, fields: int, stride: int) -> list[Any]:
    """The addresses of a NamedTuple's fields: one base and constant distances, which LLVM needs to see no overlap."""
    base = context.make_array(kinds.args[0])(context, builder, values[0]).data
    at = context.cast(builder, values[1], kinds.args[1], types.int64)
    offsets = (builder.add(at, ir.Constant(ir.IntType(64), field * stride)) for field in range(fields))
    return [builder.gep(base, [offset], inbounds=True) for offset in offsets]
