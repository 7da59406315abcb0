import fc from 'fast-check'

/** Names that every JavaScript object inherits. */
const inheritedNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

const oddValues: unknown[] = [
  ...inheritedNames,
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  '',
  ' ',
  '\0',
  '\ud800',
  '\u2028',
  '../../etc/passwd',
  'QUJD',
  ' '.repeat(3000),
  [],
  {},
  [[]],
  [null],
  [{}],
  { constructor: null },
  nested(3000),
  new Array(300).fill({}),
  JSON.parse('{"__proto__":{"audioContent":"QUJD","text":"Hi."}}'),
]

/** Any JSON, often with values that are known to cause errors. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...oddValues),
  fc.jsonValue({ maxDepth: 2 }),
)

/**
 * A valid value with up to three fields, at any depth, replaced, removed or added.
 * @param minLength the minimum number. Default 0: the value may be unchanged.
 */
export function mutated(good: unknown, minLength = 0): fc.Arbitrary<unknown> {
  const change = fc.record({
    path: fc.constantFrom(...pathsOf(good)),
    how: fc.constantFrom<Change['how']>('replace', 'replace', 'remove', 'add'),
    name: fc.oneof(fc.constantFrom(...inheritedNames, '0', 'error'), fc.string({ maxLength: 8 })),
    value: anyJson,
  })
  return fc
    .array(change, { minLength, maxLength: 3 })
    .map((changes) => changes.reduce((value, each) => changed(value, each.path, each), good))
}

/** Large for their place, but within the limits of a message. */
const largeValues: unknown[] = [
  'x'.repeat(200_000),
  'a. '.repeat(60_000),
  'AAAA'.repeat(50_000),
  '"'.repeat(100_000),
  new Array(5000).fill(0),
  new Array(1900).fill({ type: 'function', name: 'light' }),
  new Array(1900).fill({ type: 'input_text', text: '' }),
  Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a${index}`, ''])),
  nested(30),
]

/** A valid value with one field, or a value without fields, replaced by a large value. */
export function grown(good: unknown): fc.Arbitrary<unknown> {
  const [whole = [], ...fields] = pathsOf(good)
  return fc
    .record({
      path: fc.constantFrom(...(fields.length > 0 ? fields : [whole])),
      how: fc.constant<Change['how']>('replace'),
      name: fc.constant(''),
      value: fc.constantFrom(...largeValues),
    })
    .map((change) => changed(good, change.path, change))
}

interface Change {
  path: string[]
  how: 'replace' | 'remove' | 'add'
  name: string
  value: unknown
}

function changed(whole: unknown, path: readonly string[], change: Change): unknown {
  const [key, ...deeper] = path
  if (key === undefined && change.how === 'replace') return change.value
  if (typeof whole !== 'object' || whole === null) return whole
  const entries = Object.entries(whole)
  const others = entries.filter(([name]) => name !== (key ?? change.name))
  if (key === undefined) return rebuilt(whole, [...others, [change.name, change.value]])
  if (change.how === 'remove' && deeper.length === 0) return rebuilt(whole, others)
  return rebuilt(
    whole,
    entries.map(([name, value]) => [name, name === key ? changed(value, deeper, change) : value]),
  )
}

/** From entries, because an assignment to `__proto__` does not create a field. */
function rebuilt(former: object, entries: [string, unknown][]): unknown {
  return Array.isArray(former) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return [
    [],
    ...Object.entries(value).flatMap(([key, member]) =>
      pathsOf(member).map((path) => [key, ...path]),
    ),
  ]
}

function nested(depth: number): unknown {
  let value: unknown = []
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
