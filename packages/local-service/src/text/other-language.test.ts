import { expect, it } from 'vitest'
import { findOtherLanguage } from './other-language.ts'

it.each([
  ['de', 'Die Waschmaschine ist fertig.'],
  ['de', 'Im Keller ist Wasser'],
  ['de', 'Es klingelt an der Tür'],
  ['de', 'Guten Morgen! Heute wird es sonnig bei 21 Grad.'],
  ['fr', 'La porte est ouverte'],
  ['es', 'La puerta del garaje está abierta'],
  ['it', 'La lavatrice non è ancora pronta, ma la porta è aperta'],
  ['nl', 'De was is klaar en het raam staat nog open'],
  ['pt', 'A porta da garagem está aberta agora'],
])('recognises %s: %s', (language, text) => {
  expect(findOtherLanguage(text)).toBe(language)
})

it.each([
  'The laundry is done.',
  'Hello',
  'Die hard is on at 8 in the cinema',
  'Play La Vie en rose',
  'El Niño is coming',
  'Kitchen 21.5 °C',
  'Hauptstrasse 5, Max Mustermann',
  'Do you want a coffee?',
  'No',
  '',
])('does not take %s for another language than English', (text) => {
  expect(findOtherLanguage(text)).toBeUndefined()
})
