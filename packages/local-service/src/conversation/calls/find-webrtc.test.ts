import { describe, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { findWebRtc, webRtcProblem } from './find-webrtc.ts'

const { version } = packageJson

describe('webRtcProblem', () => {
  it.each(['22.0.0', '24.1.0'])('accepts Node.js %s', (node) => {
    expect(webRtcProblem({ node, version })).toBeUndefined()
  })

  it.each([
    [
      'an older Node.js',
      { node: '20.19.0', version },
      'needs Node.js 22 or newer; this is 20.19.0',
    ],
    [
      'a missing package',
      { node: '22.0.0' },
      `not installed: run npm install @parlando/webrtc@${version}`,
    ],
    [
      'another version',
      { node: '22.0.0', version: '0.0.1' },
      '0.0.1 does not match this service: run',
    ],
  ])('explains why %s cannot be used, and what helps', (_, facts, problem) => {
    expect(webRtcProblem(facts)).toContain(problem)
  })
})

it('findWebRtc reports a missing package', () => {
  expect(() => findWebRtc([])).toThrow(expect.objectContaining({ code: 'UNIMPLEMENTED' }))
})
