import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { helpText, optionTable } from './help.ts'
import { flagOf, settings, variableOf } from './settings.ts'

const docs = readFileSync(new URL('../../../../docs/local-service.md', import.meta.url), 'utf8')

it('the help names every option and every variable once', () => {
  for (const name of Object.keys(settings) as (keyof typeof settings)[]) {
    expect(helpText().split(`--${flagOf(name)} `), name).toHaveLength(2)
    expect(helpText().match(new RegExp(`${variableOf(name)}$`, 'gm')), name).toHaveLength(1)
  }
})

it('the documentation has the same table of options', () => {
  const [, table = ''] = /<!-- options -->\n([\s\S]*?)\n<!-- \/options -->/.exec(docs) ?? []
  expect(table).toBe(optionTable())
})
