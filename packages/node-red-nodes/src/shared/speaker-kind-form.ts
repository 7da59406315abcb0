/**
 * A setting that only speakers of one kind have: a row of their form, unless other kinds have it, too. Its label is the text
 * `speaker.label.<name>`.
 */
export interface KindSetting {
  /** The property of the configuration node. */
  name: string
  /** Default: empty. */
  default?: string
  /** The values of a list, with the texts `speaker.label.<name>-<value>`. */
  options?: readonly string[]
  /**
   * `address`: of Node-RED, as players see it. `secret`: a credential, which is not exported with the flow. Default: a list if
   * there are options, or else a text.
   */
  type?: 'address' | 'secret'
}

/** What the form of a speaker needs to know of a kind. Its name is the text `speaker.kind.<name>`. */
export interface KindForm {
  name: string
  settings: readonly KindSetting[]
  /** Whether nodes need an output for the addresses that it hands out. */
  handsOut: boolean
}
