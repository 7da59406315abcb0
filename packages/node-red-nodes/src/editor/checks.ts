import { addressFault, completeAddress } from '@parlando/core/address'
import { RED, text } from './red.ts'

interface Range {
  min: number
  max: number
  /** Default: true. */
  isInteger?: boolean
}

/** @returns true if an optional field is empty or a number in the range, otherwise the error text. */
function checkNumber(value: unknown, { min, max, isInteger = true }: Range): true | string {
  if (value === undefined || value === null || String(value).trim() === '') return true
  const number = Number(value)
  if (number >= min && number <= max && (!isInteger || Number.isInteger(number))) return true
  return text(isInteger ? 'whole-number' : 'number', { min, max })
}

/** A validator for an optional number. */
export function optionalNumber(range: Range) {
  return (value: unknown, _options: unknown) => checkNumber(value, range)
}

/** A validator for a typed input that must not be empty, with its type in another setting. */
export function typedSetting(typeSetting: string) {
  return RED.validators.typedInput({ type: typeSetting, allowBlank: false })
}

type InputType = 'msg' | 'flow' | 'global' | 'str' | 'jsonata' | 'json' | 'env'

/** Makes a field of the open form a typed input. The first of its types is the default one. */
export function typedField(name: string, types: InputType[]): void {
  const typeField = `#node-input-${name}Type`
  $(`#node-input-${name}`).typedInput({ default: types[0], types, typeField })
}

/** A validator for an address that may be empty. */
export function optionalAddress(value: unknown, _options: unknown): true | string {
  return value ? checkAddress(value) : true
}

/** @returns true if this is a valid service address, otherwise the error text. */
export function checkAddress(value: unknown): true | string {
  const address = String(value ?? '').trim()
  if (/^\$\{\w+\}$/.test(address)) return true
  const fault = address === '' ? 'missing' : addressFault(completeAddress(address))
  return fault ? text(`address.${fault}`) : true
}

/** Completes an address without `http://` or `https://` when the user leaves its field. */
export function addressField(input: string): void {
  const field = $(input)
  field.on('change', () => void field.val(completeAddress(String(field.val()).trim())))
}

/** The value of a node's property: from its form if that is open. */
export function settingOf<Node extends { id: string }>(
  node: Node,
  property: keyof Node & string,
): unknown {
  const isOpen = RED.editor.getEditStack().at(-1)?.id === node.id
  const field = $(`#node-input-${property}, #node-config-input-${property}`)
  return isOpen && field.length > 0 ? field.val() : node[property]
}
