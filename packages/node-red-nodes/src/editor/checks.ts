import { addressFault } from '@parlando/core/address'
import { RED } from './red.ts'
import { text } from './texts.ts'

interface Range {
  min: number
  max: number
  /** Default: true. */
  isInteger?: boolean
}

/** @returns whether a field that may be empty is a number in a range, or words that say which it must be. */
export function checkNumber(value: unknown, { min, max, isInteger = true }: Range): true | string {
  if (value === undefined || value === null || String(value).trim() === '') return true
  const number = Number(value)
  if (number >= min && number <= max && (!isInteger || Number.isInteger(number))) return true
  return text(isInteger ? 'whole-number' : 'number', { min, max })
}

/** @returns whether this is the address of a service, or words that say what one looks like. */
export function checkAddress(value: unknown): true | string {
  const address = String(value ?? '').trim()
  if (/^\$\{\w+\}$/.test(address)) return true
  const fault = address === '' ? 'missing' : addressFault(address)
  return fault ? text(`address.${fault}`) : true
}

/** What a property of a node is: as it stands in the form where the form is open. */
export function settingOf<Node extends { id: string }>(
  node: Node,
  property: keyof Node & string,
): unknown {
  const isOpen = RED.editor.getEditStack().at(-1)?.id === node.id
  const field = $(`#node-input-${property}, #node-config-input-${property}`)
  return isOpen && field.length > 0 ? field.val() : node[property]
}
