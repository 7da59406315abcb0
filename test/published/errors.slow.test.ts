import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../packages/core', import.meta.url))
const names = [
  'ParlandoError',
  'InputError',
  'ConnectionError',
  'TimeoutError',
  'ApiError',
  'ProtocolError',
]
const imports = {
  commonjs: `
    const main = require('@parlando/core')
    const errors = require('@parlando/core/errors')`,
  module: `
    import * as main from '@parlando/core'
    import * as errors from '@parlando/core/errors'`,
}

it.each(['commonjs', 'module'] as const)(
  'the entries of the core share the classes of errors, which have their names: %s',
  (type) => {
    const script = `${imports[type]}
      const { inspect } = process.getBuiltinModule('node:util')
      for (const name of ${JSON.stringify(names)}) {
        const error = new main[name]('A message', {})
        console.log(main[name] === errors[name], inspect(error).split('\\n')[0])
      }`
    const printed = execFileSync(process.execPath, [`--input-type=${type}`, '--eval', script], {
      cwd: folder,
      encoding: 'utf8',
    })
    const expected = names.map((name) => `true ${name}: A message`)
    expect(printed.trim().split('\n')).toEqual(expected)
  },
)
