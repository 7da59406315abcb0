import { type Answer, encode } from 'dns-packet'
import { describe, expect, it } from 'vitest'
import { ServiceRecords } from './service-records.ts'

const name = 'Kitchen._mpd._tcp.local'
const pointer: Answer = { type: 'PTR', name: '_mpd._tcp.local', data: name }
const target = (host: string, port = 6600): Answer => {
  return { type: 'SRV', name, data: { target: host, port } }
}
const address = (data: string): Answer => ({ type: 'A', name: 'Pi.local', data })
const responder = '192.168.1.7'

function recordsOf(...messages: Answer[][]): ServiceRecords {
  const records = new ServiceRecords(['_mpd._tcp'])
  for (const answers of messages) records.take(encode({ type: 'response', answers }), responder)
  return records
}
const addressesOf = (...answers: Answer[]) =>
  recordsOf(answers)
    .services()
    .map(({ address }) => address)

describe('the records of services', () => {
  it('become a service, in any order', () => {
    const texts: Answer = { type: 'TXT', name, data: ['md=One=1', 'FN=Küche', 'flag'] }
    const records = recordsOf([address('192.168.1.9')], [target('pi.local'), texts], [pointer])
    expect(records.services()).toEqual([
      {
        type: '_mpd._tcp',
        name: 'Kitchen',
        host: '192.168.1.9',
        address: '192.168.1.9:6600',
        texts: { md: 'One=1', fn: 'Küche', flag: '' },
      },
    ])
  })

  it.each(['127.0.0.1', '8.8.8.8', '224.0.0.1', '0.0.0.0'])(
    'are at the device that responds if they state an address outside the house: %s',
    (stated) => {
      expect(addressesOf(pointer, target('Pi.local'), address(stated))).toEqual([
        '192.168.1.7:6600',
      ])
    },
  )

  it('are at the device that responds without an address, and nowhere without a port', () => {
    expect(addressesOf(pointer, target('Pi.local'))).toEqual(['192.168.1.7:6600'])
    expect(addressesOf(pointer)).toEqual([])
    expect(addressesOf(pointer, target('Pi.local', 0))).toEqual([])
  })

  it('are asked for until they are complete', () => {
    const asked = (records: ServiceRecords) =>
      records.questions().map(({ type, name }) => `${type} ${name}`)
    expect(asked(recordsOf())).toEqual(['PTR _mpd._tcp.local'])
    expect(asked(recordsOf([pointer])).slice(1)).toEqual([
      'SRV kitchen._mpd._tcp.local',
      'TXT kitchen._mpd._tcp.local',
    ])
    expect(asked(recordsOf([pointer, target('Pi.local')])).slice(1)).toEqual(['A Pi.local'])
    expect(asked(recordsOf([pointer, target('Pi.local'), address('10.0.0.1')]))).toHaveLength(1)
  })

  it('of other types, of queries and of no DNS at all do not count', () => {
    const records = recordsOf([{ type: 'PTR', name: '_ipp._tcp.local', data: 'x._ipp._tcp.local' }])
    records.take(encode({ type: 'query', answers: [pointer, target('Pi.local')] }), responder)
    records.take(Buffer.from('HTTP/1.1 200 OK'), responder)
    expect(records.services()).toEqual([])
    expect(records.questions()).toHaveLength(1)
  })

  it('are asked for in turns where many devices do not respond', () => {
    const names = Array.from({ length: 60 }, (_, index) => `${index}._mpd._tcp.local`)
    const records = recordsOf(
      names.map((data) => ({ type: 'PTR', name: '_mpd._tcp.local', data }) as const),
    )
    const asked = Array.from({ length: 5 }, () => records.questions().map(({ name }) => name))
    expect(new Set(asked.flat())).toEqual(new Set(['_mpd._tcp.local', ...names]))
  })

  it('are limited in number, and so are the questions', () => {
    const records = new ServiceRecords(['_mpd._tcp'])
    for (let index = 0; index < 1000; index++) {
      const own = `${index}._mpd._tcp.local`
      const data = { target: 'Pi.local', port: 1 }
      const answers: Answer[] = [{ type: 'SRV', name: own, data }]
      records.take(encode({ type: 'response', answers }), responder)
    }
    expect(records.services()).toHaveLength(200)
    expect(records.questions().length).toBeLessThanOrEqual(31)
  })
})
