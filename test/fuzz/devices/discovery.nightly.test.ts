import { type Answer, encode } from 'dns-packet'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ServiceRecords } from '../../../packages/node-red-nodes/src/speakers/search/service-records.ts'
import { fuzz } from '../cases.ts'
import { damaged } from '../inputs/bytes.ts'

const types = ['_mpd._tcp', '_googlecast._tcp']
const name = fc.oneof(
  fc.constantFrom(
    'Kitchen._mpd._tcp.local',
    'a.b._MPD._tcp.local',
    '_mpd._tcp.local',
    '.',
    '',
    'x',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }).map((label) => `${label}._googlecast._tcp.local`),
)
const record = fc.oneof(
  fc.record({ type: fc.constant('PTR' as const), name, data: name }),
  fc.record({
    type: fc.constant('SRV' as const),
    name,
    data: fc.record({ target: name, port: fc.nat(65_535) }),
  }),
  fc.record({
    type: fc.constant('TXT' as const),
    name,
    data: fc.array(fc.constantFrom('fn=Küche', '=', '__proto__=1', 'x'.repeat(200), '')),
  }),
  fc.record({ type: fc.constant('A' as const), name, data: fc.ipV4() }),
)
const message = fc
  .array(record, { maxLength: 20 })
  .map((answers) => encode({ type: 'response', answers: answers as Answer[] }).toString('latin1'))
const given = fc.array(
  fc.oneof(
    message,
    message.chain((bytes) => damaged(bytes)),
  ),
  {
    minLength: 1,
    maxLength: 5,
  },
)

it('no device that responds to a search can stop it, or fill the memory', async () => {
  await fuzz(given, async (messages) => {
    const records = new ServiceRecords(types)
    for (const bytes of messages) records.take(Buffer.from(bytes, 'latin1'), '192.168.1.7')
    expect(encode({ type: 'query', questions: records.questions() }).length).toBeLessThan(9000)
    for (const { name, host, address, texts } of records.services()) {
      expect(host).toMatch(/^(10|172|192|169)\./)
      expect(address).toBe(`${host}:${Number(address.split(':')[1])}`)
      expect(typeof name).toBe('string')
      expect(Object.values(texts).every((text) => typeof text === 'string')).toBe(true)
    }
  })
})
