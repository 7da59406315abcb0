import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { options } from '../options.ts'
import { flagOf, variableOf } from './command-line.ts'
import { helpText, optionsAsMarkdown } from './help.ts'
import type { Option, OptionTable } from './option.ts'

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

/** The comments in `LocalServiceOptions`, by the name of the option. */
function readComments(): Record<string, string | undefined> {
  const path = fileURLToPath(new URL('../options.ts', import.meta.url))
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const type = source.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'LocalServiceOptions')!
  return Object.fromEntries(
    type.members.map((member) => {
      const comment = ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(member)[0]?.comment)
      return [member.name!.getText(), comment?.replaceAll('\n', ' ')]
    }),
  )
}

function commentOn(option: Option<unknown>): string {
  const { help, default: value, commandDefault, shownDefault } = option
  const shown = commandDefault === undefined ? shownDefault : undefined
  const text = shown ?? (String(value ?? '') || 'none')
  return `${help.charAt(0).toUpperCase()}${help.slice(1)}. Default: ${text}.`
}

it('LocalServiceOptions explains every option in the words of the help', () => {
  const expected = Object.entries(table).map(([name, option]) => [name, commentOn(option)])
  expect(readComments()).toEqual(Object.fromEntries(expected))
})
