import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import {
  callOptionsSchema,
  clientOptionsSchema,
} from '../../../packages/core/src/http/client-options.ts'

const guide = readFileSync(new URL('../../../docs/core.md', import.meta.url), 'utf8')

/** The first two columns of the table with this heading. */
function readTable(heading: string): string[][] {
  const [, table = ''] = guide.split(`\n| ${heading} | default | |\n|---|---|---|\n`)
  const [rows = ''] = table.split('\n\n')
  return rows
    .trim()
    .split('\n')
    .map((row) => row.split(' | ').slice(0, 2))
}

/** A default as the guide writes it. */
function describeDefault(name: string, schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined)
  if (!success) return 'required'
  if (typeof data === 'number') {
    return name.endsWith('Bytes') ? `${data / 1024 ** 2} MiB` : data.toLocaleString('en-US')
  }
  if (typeof data === 'boolean') return `\`${data}\``
  return typeof data === 'string' && data ? `\`'${data}'\`` : 'none'
}

it('docs/core.md lists each client option with its default', () => {
  const options = Object.entries(clientOptionsSchema.shape)
  expect(options.length).toBeGreaterThan(10)
  expect(readTable('option')).toEqual(
    options.map(([name, schema]) => [`| \`${name}\``, describeDefault(name, schema)]),
  )
})

it('docs/core.md lists each option of a call', () => {
  const names = Object.keys(callOptionsSchema.shape)
  expect(readTable('option of a call').map(([name]) => name)).toEqual(
    names.map((name) => `| \`${name}\``),
  )
})
