import { expect, it } from 'vitest'
import { HomeAssistantOffer } from './home-assistant-offer.ts'

const open = { host: '0.0.0.0', port: 10_200, isAnnounced: true }

function startChild(offer: HomeAssistantOffer) {
  const offers: unknown[] = []
  offer.started({ offerWyoming: (options) => void offers.push(options) })
  return offers
}

it('a service is offered while a node asks for it', () => {
  const offer = new HomeAssistantOffer()
  const offers = startChild(offer)
  offer.set('other', false)
  expect(offers).toEqual([])
  offer.set('one', true)
  offer.set('two', true)
  offer.set('one', false)
  expect(offers).toEqual([open])
  offer.set('two', false)
  expect(offers).toEqual([open, undefined])
})

it('a process that starts later is offered, too', () => {
  const offer = new HomeAssistantOffer()
  offer.set('one', true)
  expect(startChild(offer)).toEqual([open])
  expect(startChild(offer)).toEqual([open])
})
