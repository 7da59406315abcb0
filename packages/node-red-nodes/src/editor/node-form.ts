import type { CanvasNode } from './red.ts'

/** A node in the editor with its settings: `this` in the functions of its form. */
export type FormNode<Settings> = CanvasNode & Settings & { name: string; _(key: string): string }

interface Setting<Value> {
  /** The value of a new node. */
  value: Value
  required?: boolean
  /** The type of the configuration node whose id is the value. */
  type?: string
  /** Which of these nodes the field offers. Default: all. */
  filter?(node: { kind?: string }): boolean
  /**
   * Returns true, or the error text. Needs both parameters: of a function with one, the editor only takes whether the result
   * is truthy, as a text is.
   */
  validate?(value: unknown, options: unknown): boolean | string
}

/** The form of a node, and what depends on its settings. */
export interface NodeForm<Settings> {
  /** Whether the node has a field for the speech service. Default: true. */
  usesService?: boolean
  /** Whether the form itself sets the number of outputs. Default: a node that plays gets one for addresses where it needs it. */
  hasOwnOutputs?: boolean
  /** The settings that the node saves, besides its name and service. */
  defaults: { [Name in keyof Settings]: Setting<Settings[Name]> }
  credentials?: Record<string, { type: 'text' | 'password' }>
  paletteLabel: string | (() => string)
  /** The label on the canvas. Default: the name, or else the label in the palette. */
  label?(): string
  /** The key of the label of the input. */
  inputPort?: string
  /** The keys of the labels of the outputs. */
  outputPorts?: readonly string[] | (() => readonly string[])
  button?: { visible(): boolean; onclick(): void }
  onadd?(): void
  /** Adds fields to the HTML of the form when the editor starts. */
  complete?(form: DocumentFragment): void
  /** Called when the form has opened. */
  oneditprepare?(): void
  /** Called when the form is saved. */
  oneditsave?(): void
}

/** Types `this` in the functions of a form by the values of its settings. */
export function nodeForm<Settings extends object>(
  form: NodeForm<Settings> & ThisType<FormNode<Settings>>,
): NodeForm<Settings> {
  return form
}
