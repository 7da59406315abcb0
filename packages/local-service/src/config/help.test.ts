import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { options } from '../options.ts'
import { flagOf } from './command-line.ts'
import { variableOf } from './environment.ts'
import { helpText, optionsAsMarkdown } from './help.ts'
import type { OptionTable } from './option.ts'

const table: OptionTable = options
const guide = readFileSync(new URL('../../../../docs/local-service.md', import.meta.url), 'utf8')

it('the help names every option and every variable once', () => {
  for (const [name, option] of Object.entries(table)) {
    expect(helpText(table).split(`--${flagOf(name, option)} `), name).toHaveLength(2)
    expect(helpText(table).match(new RegExp(`${variableOf(name)}$`, 'gm')), name).toHaveLength(1)
  }
})

it('docs/local-service.md contains the table of options', () => {
  const [, documented = ''] = /<!-- options -->\n([\s\S]*?)\n<!-- \/options -->/.exec(guide) ?? []
  expect(documented).toBe(optionsAsMarkdown(table))
})
