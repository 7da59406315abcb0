import { isPlainObject } from '../../runtime/settings.ts'
import type { NodeTool, ToolParameter } from './node-tools.ts'

const defaultLength = 200

/** @returns what is wrong with the arguments of a call, as a sentence for a language model. */
export function findArgumentProblem(
  { parameters, required }: Pick<NodeTool, 'parameters' | 'required'>,
  values: unknown,
): string | undefined {
  if (!isPlainObject(values)) return 'The arguments must be an object.'
  for (const name of required) {
    if (values[name] === undefined || values[name] === '') return `${name} is missing.`
  }
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(parameters, name)) return `There is no argument ${name.slice(0, 50)}.`
    if (!fits(value, parameters[name]!)) return `${name} must be ${describe(parameters[name]!)}.`
  }
  return undefined
}

function fits(value: unknown, parameter: ToolParameter): boolean {
  if (parameter.type === 'array') {
    return (
      Array.isArray(value) &&
      value.length <= parameter.maxItems &&
      value.every((item) => typeof item === 'string' && item.length <= defaultLength)
    )
  }
  if (typeof value !== 'string') return false
  return parameter.enum?.includes(value) ?? value.length <= (parameter.maxLength ?? defaultLength)
}

function describe(parameter: ToolParameter): string {
  if (parameter.type === 'array') return `a list of at most ${parameter.maxItems} texts`
  if (parameter.enum) return `one of ${parameter.enum.join(', ')}`
  return `a text of at most ${parameter.maxLength ?? defaultLength} characters`
}
