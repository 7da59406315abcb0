import { isLanguageCode } from '@parlando/core/text'
import type { EditorRED } from 'node-red'
import type { Consumer } from '../sounds/chunk-problem.ts'
import type { KindForm } from '../speakers/speaker-kind.ts'

/** A node on the canvas. */
export interface CanvasNode extends Consumer {
  x: number
  y: number
  z: string
  output?: string
  /** The other ends of a link node. */
  links?: readonly string[]
  status?: { fill?: string; shape?: string }
  /** Set to draw the node again. */
  dirty?: boolean
}

export interface Wire {
  source: CanvasNode
  sourcePort: number
  target: CanvasNode
}

type Red = Omit<
  EditorRED,
  'nodes' | 'view' | 'history' | 'sidebar' | 'comms' | 'i18n' | 'validators'
> & {
  nodes: Omit<EditorRED['nodes'], 'registerType'> & {
    registerType(type: string, definition: object): void
    getNodeLinks(node: CanvasNode, portType: number): Wire[]
    add(node: CanvasNode): void
    addLink(wire: Wire): void
    removeLink(wire: Wire): void
  }
  view: {
    redraw(updateActive?: boolean): void
    selection(): { nodes?: CanvasNode[] }
    createNode(
      type: string,
      x: number,
      y: number,
      z: string,
    ): { node: CanvasNode; historyEvent: object }
    annotations: { register(id: string, options: object): void }
  }
  history: { push(event: object): void }
  sidebar: { addTab(tab: object): void }
  comms: { subscribe(topic: string, notify: (topic: string, message: unknown) => void): void }
  settings: {
    get(key: 'auth-tokens'): { access_token?: string } | undefined
    /** The speaker node provides them. */
    parlandoSpeakerKinds?: readonly KindForm[]
    /** The language of Node-RED, which the language of the browser may differ from. From the service node. */
    parlandoServiceLanguage?: string
    /** The path of the HTTP nodes. */
    httpNodeRoot?: string
  }
  i18n: { lang(): string }
  validators: {
    typedInput(options: object): (value: unknown, options: unknown) => boolean | string
  }
  user: { hasPermission(permission: string): boolean }
  editor: {
    /** The nodes whose forms are open, the topmost last. */
    getEditStack(): { id: string }[]
  }
}

/** Node-RED's editor, in whose page all of this runs. */
export const { RED } = globalThis as unknown as { RED: Red }

/** Shows a notification. The editor itself would take a text as HTML. */
export function notify(words: string, type: 'success' | 'error'): void {
  RED.notify($('<span></span>').text(words), type)
}

type Values = Record<string, string | number>

// The build adds these groups of texts to the catalogue of the service node, which is always loaded.
const catalogue = '@parlando/node-red/parlando-service'

/** A text of the forms, in the language of the editor. */
export function text(key: string, values: Values = {}): string {
  return RED._(`${catalogue}:editor.${key}`, values)
}

/** A text of the voice studio. */
export function studioText(key: string, values: Values = {}): string {
  return RED._(`${catalogue}:studio.${key}`, values)
}

/** A text of the node *clone voice*. */
export function cloneText(key: string): string {
  return RED._(`@parlando/node-red/parlando-clone-voice:clone-voice.${key}`)
}

/** A text that forms share with running nodes. */
export function sharedText(key: string, values: Values = {}): string {
  return RED._(`${catalogue}:shared.${key}`, values)
}

/** What somebody reads aloud for a clone in a language, such as `de`. A language without a text has none. */
export function readingText(language: string): string | undefined {
  if (!isLanguageCode(language)) return undefined
  const words = RED._(`${catalogue}:reading.${language}`)
  return words.endsWith(`reading.${language}`) ? undefined : words
}
