import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import { findSherpa, type SherpaFacts, sherpaProblem } from './find-sherpa.ts'

const debian: SherpaFacts = { platform: 'linux', arch: 'x64', hasGlibc: true, version: '1.13.8' }

it('findSherpa finds the package in a folder', () => {
  const { packagePath, problem } = findSherpa([optionalEnginesFolder])
  expect(packagePath).toContain('sherpa-onnx-node')
  expect(problem).toBeUndefined()
})

describe('sherpaProblem', () => {
  it.each<[string, Partial<SherpaFacts>]>([
    ['1.13.8', {}],
    ['1.13.10', { version: '1.13.10' }],
    ['1.14.0', { version: '1.14.0' }],
    ['a Raspberry Pi with 64 bits', { arch: 'arm64' }],
    ['a Mac', { platform: 'darwin', arch: 'arm64', hasGlibc: false }],
    ['Windows', { platform: 'win32', hasGlibc: false }],
  ])('accepts %s', (_, facts) => expect(sherpaProblem({ ...debian, ...facts })).toBeUndefined())

  it.each<[string, Partial<SherpaFacts>, RegExp]>([
    [
      'an older version',
      { version: '1.13.7' },
      /1\.13\.7 is too old; .* npm install sherpa-onnx-node@1$/,
    ],
    ['a much older version', { version: '1.9.30' }, /1\.9\.30 is too old/],
    ['version 2', { version: '2.0.0' }, /2\.0\.0 is too new; .* npm install sherpa-onnx-node@1$/],
    [
      'a missing package',
      { version: undefined },
      /not installed: run npm install sherpa-onnx-node@1/,
    ],
    ['Alpine Linux', { hasGlibc: false }, /musl: use the Debian image/],
    ['32-bit ARM', { arch: 'arm', version: undefined }, /32-bit ARM: install a 64-bit system/],
    ['another processor', { arch: 'riscv64' }, /linux riscv64: let another machine speak/],
  ])('explains why %s cannot be used, and what helps', (_, facts, problem) => {
    expect(sherpaProblem({ ...debian, ...facts })).toMatch(problem)
  })
})
