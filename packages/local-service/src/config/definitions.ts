import type { OptionTable } from './option.ts'

/** A part of the service that adds options to it, such as an engine. */
interface Definition {
  options: OptionTable
}

/** The options of all definitions in one table. */
export function joinOptions<const Definitions extends readonly Definition[]>(
  definitions: Definitions,
): Intersection<Definitions[number]['options']> {
  return Object.assign({}, ...definitions.map(({ options }) => options))
}

type Intersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Result,
) => void
  ? Result
  : never

/** The values of the options of one definition, out of those of the service. */
export function pickOptions(
  { options }: Definition,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.keys(options).map((name) => [name, values[name]]))
}
