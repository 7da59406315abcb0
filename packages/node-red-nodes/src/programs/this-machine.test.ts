import { expect, it } from 'vitest'
import { soundEnvironment } from './this-machine.ts'

it('programs that play and record receive no key of the speech service', () => {
  const environment = soundEnvironment({
    PATH: '/usr/bin',
    XDG_RUNTIME_DIR: '/tmp/sound',
    PARLANDO_LOCAL_API_KEY: 'a key',
  })
  expect(environment).toEqual({ PATH: '/usr/bin', XDG_RUNTIME_DIR: '/tmp/sound' })
})
