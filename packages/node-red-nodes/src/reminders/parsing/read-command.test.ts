import { RED } from '@parlando/test-support/node-red/fake-red'
import { describe, expect, it } from 'vitest'
import { readSentence } from './read-command.ts'
import { readCommandObject } from './read-command-object.ts'

const clock = { nowMs: Date.parse('2026-11-26T15:00:00Z'), timeZone: 'Europe/Berlin' }
const minute = 60_000

describe('a command', () => {
  it.each([
    ['en', 'cancel the tea timer', { command: 'cancel', name: 'tea', isAll: false }],
    ['en', 'cancel all timers', { command: 'cancel', name: '', isAll: true }],
    ['en', 'delete all my reminders, please', { command: 'cancel', name: '', isAll: true }],
    ['en', 'cancel every Monday reminder', { command: 'cancel', name: 'Monday', isAll: false }],
    ['en', 'stop all the lights', { command: 'cancel', isAll: false }],
    ['en', 'forget everything about the bins', { command: 'cancel', isAll: false }],
    ['en', 'what do I have tomorrow?', { command: 'list' }],
    ['en', 'how long is left of the ten minutes?', { command: 'list' }],
    ['en', 'show the film at 8', { command: 'set', name: 'show the film' }],
    ['en', 'change the tea to five minutes', { command: 'change', name: 'the tea' }],
    ['en', 'how long is left?', { command: 'list' }],
    [
      'en',
      'postpone the tea by ten minutes',
      { command: 'change', name: 'the tea', by: { days: 0, exactMs: 10 * minute } },
    ],
    [
      'en',
      'remind me tomorrow at 7 to cancel the paper',
      { command: 'set', name: 'cancel the paper' },
    ],
    ['de', 'lösche den Tee', { command: 'cancel', name: 'den Tee' }],
    ['de', 'lösche alle', { command: 'cancel', isAll: true }],
    ['de', 'lösche alle Erinnerungen', { command: 'cancel', name: '', isAll: true }],
    ['de', 'lösche alle Termine am Montag', { command: 'cancel', isAll: false }],
    ['de', 'was habe ich morgen', { command: 'list' }],
    ['de', 'welchen Termin habe ich am Montag', { command: 'list' }],
    ['de', 'ändere den Tee auf fünf Minuten', { command: 'change', name: 'den Tee' }],
    ['de', 'wie lange noch', { command: 'list' }],
    ['de', 'ändere den Wecker auf halb acht', { command: 'change', name: '' }],
    [
      'de',
      'verlängere den Tee um zehn Minuten',
      { command: 'change', name: 'den Tee', by: { days: 0, exactMs: 10 * minute } },
    ],
    [
      'de',
      'verkürze den Tee um zehn Minuten',
      { command: 'change', name: 'den Tee', by: { days: 0, exactMs: -10 * minute } },
    ],
    ['en', 'move the bins by one day', { name: 'the bins', by: { days: 1, exactMs: 0 } }],
    ['en', 'postpone the tea by 2 h', { name: 'the tea', by: { exactMs: 120 * minute } }],
    ['en', 'postpone the tea by 2 hrs', { name: 'the tea', by: { exactMs: 120 * minute } }],
    ['en', 'postpone it by two and a half hours', { by: { exactMs: 150 * minute } }],
    ['en', 'postpone the tea by 1.5 hours', { name: 'the tea', by: { exactMs: 90 * minute } }],
    ['en', 'postpone the tea by ten more minutes', { by: { exactMs: 10 * minute } }],
    ['en', 'postpone the tea by another ten minutes', { by: { exactMs: 10 * minute } }],
    ['en', 'postpone the Monday tea by an hour', { name: 'the Monday tea', by: { days: 0 } }],
    ['de', 'verlängere den Tee um 2 h', { name: 'den Tee', by: { exactMs: 120 * minute } }],
    ['de', 'verlängere den Tee um 1,5 Stunden', { by: { exactMs: 90 * minute } }],
    ['de', 'verlängere den Tee um zehn weitere Minuten', { by: { exactMs: 10 * minute } }],
    ['de', 'verlängere den Tee um weitere zehn Minuten', { by: { exactMs: 10 * minute } }],
    ['fr', 'reporte le thé de 2h', { name: 'thé', by: { exactMs: 120 * minute } }],
    ['fr', 'reporte le thé de deux heures et demie', { by: { exactMs: 150 * minute } }],
    ['fr', "reporte le thé d'une heure et demie", { name: 'thé', by: { exactMs: 90 * minute } }],
    ['es', 'aplaza el té diez minutos', { name: 'té', by: { days: 0, exactMs: 10 * minute } }],
    ['fr', 'reporte le thé de dix minutes', { name: 'thé', by: { exactMs: 10 * minute } }],
    ['ja', 'お茶を10分延期して', { name: 'お茶', by: { exactMs: 10 * minute } }],
    ['zh', '把茶推迟十分钟', { name: '茶', by: { exactMs: 10 * minute } }],
    ['es', 'cancela el té', { command: 'cancel', name: 'té' }],
    ['es', 'cancela todo', { command: 'cancel', isAll: true }],
    ['es', 'borra todos los lunes', { command: 'cancel', isAll: false }],
    ['es', '¿tengo algo mañana?', { command: 'list' }],
    ['es', '¿qué tengo mañana?', { command: 'list' }],
    ['es', 'tengo dentista mañana a las 8', { command: 'set' }],
    ['es', 'cambia el té a cinco minutos', { command: 'change', name: 'té' }],
    ['es', '¿cuánto queda?', { command: 'list' }],
    ['fr', 'annule le thé', { command: 'cancel', name: 'thé' }],
    ['fr', 'annule tout', { command: 'cancel', isAll: true }],
    ['fr', 'supprime tous les lundis', { command: 'cancel', isAll: false }],
    ['fr', "qu'est-ce que j'ai demain ?", { command: 'list' }],
    ['fr', 'change le thé à cinq minutes', { command: 'change', name: 'thé' }],
    ['fr', 'combien de temps reste-t-il', { command: 'list' }],
    ['fr', "change l'alarme à 18h", { command: 'change', name: '' }],
    ['fr', "décale l'alarme à 18h", { command: 'change', name: '' }],
    ['ja', 'お茶を取り消し', { command: 'cancel', name: 'お茶' }],
    ['ja', '全部取り消し', { command: 'cancel', isAll: true }],
    ['ja', '明日は何がある', { command: 'list' }],
    ['ja', 'お茶を5分後に変更', { command: 'change', name: 'お茶' }],
    ['ja', '残りはどのくらい', { command: 'list' }],
    ['zh', '取消茶', { command: 'cancel', name: '茶' }],
    ['zh', '取消全部', { command: 'cancel', isAll: true }],
    ['zh', '明天有什么提醒', { command: 'list' }],
    ['zh', '把茶改成五分钟后', { command: 'change', name: '茶' }],
    ['zh', '还剩多久', { command: 'list' }],
    ['zh', '明天七点提醒我取消订阅', { command: 'set', name: '取消订阅' }],
  ])('in the language %s is understood: %s', (language, text, expected) => {
    expect(readSentence(text, { RED, language, clock })).toMatchObject(expected)
  })
})

it.each([
  ['en', 'move the dentist up by an hour', 'the dentist', -60],
  ['en', 'move the dentist by an hour earlier', 'the dentist', -60],
  ['en', 'move the dentist an hour earlier', 'the dentist', -60],
  ['en', 'move the dentist an hour later', 'the dentist', 60],
  ['en', 'bring the dentist forward by an hour', 'the dentist', -60],
  ['en', 'shorten the tea by two minutes', 'the tea', -2],
  ['en', 'extend the tea by two minutes', 'the tea', 2],
  ['en', 'delay the tea by two minutes', 'the tea', 2],
  ['en', 'snooze the alarm for ten minutes', '', 10],
  ['en', 'snooze for ten minutes', '', 10],
  ['de', 'verschiebe den Arzt um eine Stunde nach vorn', 'den Arzt', -60],
  ['de', 'verschiebe den Arzt um eine Stunde nach hinten', 'den Arzt', 60],
  ['de', 'verschiebe den Arzt eine Stunde früher', 'den Arzt', -60],
  ['de', 'verlege den Arzt um eine Stunde vor', 'den Arzt', -60],
  ['de', 'zieh den Arzt um eine Stunde vor', 'den Arzt', -60],
  ['es', 'adelanta el té diez minutos', 'té', -10],
  ['es', 'mueve el té diez minutos antes', 'té', -10],
  ['es', 'retrasa el té diez minutos', 'té', 10],
  ['es', 'retrasa el té en diez minutos', 'té', 10],
  ['es', 'alarga el té diez minutos', 'té', 10],
  ['es', 'acorta el té diez minutos', 'té', -10],
  ['fr', 'décale le thé de dix minutes plus tôt', 'thé', -10],
  ['fr', 'décale le thé de dix minutes plus tard', 'thé', 10],
  ['fr', 'avance le thé de dix minutes', 'thé', -10],
  ['fr', 'repousse le thé de dix minutes', 'thé', 10],
  ['fr', 'retarde le thé de dix minutes', 'thé', 10],
  ['fr', 'prolonge le thé de dix minutes', 'thé', 10],
  ['fr', 'raccourcis le thé de dix minutes', 'thé', -10],
  ['ja', '会議を30分前にずらして', '会議', -30],
  ['ja', '会議を30分早くずらして', '会議', -30],
  ['ja', '会議を30分後ろにずらして', '会議', 30],
  ['ja', '会議を30分早めて', '会議', -30],
  ['ja', '会議を90分遅らせて', '会議', 90],
  ['ja', '会議を30分遅らせて', '会議', 30],
  ['zh', '把会议提前半小时', '会议', -30],
  ['zh', '把会议延后半小时', '会议', 30],
  ['en', 'extend the timer for five minutes', '', 5],
  ['en', 'add five minutes to the timer', '', 5],
  ['en', 'add two minutes to the tea', 'the tea', 2],
  ['en', 'push back the timer by five minutes', '', 5],
  ['en', 'push the timer back by five minutes', '', 5],
  ['en', 'set the alarm an hour later', '', 60],
  ['en', 'set the alarm an hour earlier', '', -60],
  ['en', 'can you postpone the dentist by an hour', 'the dentist', 60],
  ['en', 'could you please extend the timer by five minutes?', '', 5],
  ['en', 'can you snooze the alarm for ten minutes', '', 10],
  ['de', 'den Timer um fünf Minuten verlängern', '', 5],
  ['de', 'Timer um fünf Minuten verlängern', '', 5],
  ['de', 'bitte den Timer um fünf Minuten verkürzen', '', -5],
  ['de', 'kannst du den Arzt um eine Stunde vorziehen?', 'den Arzt', -60],
  ['de', 'kannst du ihn bitte um eine Stunde verschieben?', '', 60],
  ['de', 'verlängern Sie den Timer um fünf Minuten', '', 5],
  ['de', 'schieb den Arzt um eine Stunde nach hinten', 'den Arzt', 60],
  ['de', 'stell den Wecker eine Stunde später', '', 60],
  ['de', 'stell den Wecker eine Stunde früher', '', -60],
  ['fr', "tu peux repousser l'alarme de dix minutes ?", '', 10],
  ['fr', 'peux-tu avancer le thé de dix minutes ?', 'thé', -10],
  ['fr', 'ajoute cinq minutes au minuteur', '', 5],
  ['fr', "rajoute cinq minutes à l'alarme", '', 5],
  ['es', 'puedes posponer la alarma diez minutos', '', 10],
  ['es', '¿puedes adelantar el té diez minutos?', 'té', -10],
  ['es', 'añade cinco minutos al temporizador', '', 5],
  ['zh', '定时器加五分钟', '', 5],
  ['zh', '给定时器加五分钟', '', 5],
  ['zh', '把定时器延长五分钟', '', 5],
  ['zh', '延迟十分钟', '', 10],
  ['zh', '会议提前一个小时', '会议', -60],
  ['ja', '5分延長して', '', 5],
  ['ja', 'タイマーを5分延ばして', '', 5],
  ['ja', 'タイマーに5分追加して', '', 5],
  ['de', 'verlängere den Timer um fünf Minuten', '', 5],
  ['de', 'verschieb die Erinnerung um eine Stunde', '', 60],
  ['de', 'verschieb meinen Wecker um zehn Minuten', '', 10],
  ['de', 'verschieb die Erinnerung an den Müll um eine Stunde', 'den Müll', 60],
  ['fr', "reporte l'alarme de dix minutes", '', 10],
  ['fr', 'repousse l’alarme de dix minutes', '', 10],
  ['fr', "avance l'alarme de dix minutes", '', -10],
  ['fr', "repousse l'anniversaire de dix minutes", 'anniversaire', 10],
])('in the language %s is understood: %s', (language, text, name, minutes) => {
  const by = { days: 0, exactMs: minutes * minute }
  expect(readSentence(text, { RED, language, clock })).toMatchObject({
    command: 'change',
    name,
    by,
  })
})

describe('a change', () => {
  it.each([
    ['en', 'postpone it by ten minutes', 10],
    ['en', 'snooze it for ten minutes', 10],
    ['en', 'postpone this by an hour', 60],
    ['en', 'bring it forward by ten minutes', -10],
    ['en', 'move that an hour later', 60],
    ['de', 'verschieb es um zehn Minuten', 10],
    ['de', 'verlänger ihn um fünf Minuten', 5],
    ['de', 'verschiebe sie bitte um eine Stunde', 60],
    ['de', 'verschieb das um eine Stunde', 60],
    ['de', 'zieh ihn um eine Stunde vor', -60],
    ['fr', 'reporte ça de dix minutes', 10],
    ['fr', 'décale-la de dix minutes', 10],
    ['fr', 'avance-les de dix minutes', -10],
    ['es', 'aplaza eso diez minutos', 10],
    ['es', 'aplázalo diez minutos', 10],
    ['es', 'retrásala diez minutos', 10],
    ['es', 'adelántalo diez minutos', -10],
    ['es', 'alárgalo diez minutos', 10],
    ['es', 'acórtalo diez minutos', -10],
    ['zh', '把它推迟十分钟', 10],
    ['ja', 'それを10分延期して', 10],
  ])('in the language %s takes a pronoun for no name: %s', (language, text, minutes) => {
    const by = { days: 0, exactMs: minutes * minute }
    expect(readSentence(text, { RED, language, clock })).toMatchObject({
      command: 'change',
      name: '',
      by,
    })
  })

  it.each([
    ['en', 'move it to 8 pm'],
    ['en', 'postpone that until 8 pm'],
    ['en', 'change this to 8 pm'],
    ['de', 'ändere es auf 20 Uhr'],
    ['de', 'verschiebe ihn auf 20 Uhr'],
    ['fr', 'change-le à 20h'],
    ['fr', 'décale cela à 20h'],
    ['es', 'muévelo a las 20'],
    ['es', 'cámbiala a las 20'],
    ['zh', '把它改到20点'],
    ['ja', 'これを20時に変更して'],
  ])('in the language %s moves what a pronoun stands for: %s', (language, text) => {
    const dueMs = Date.parse('2026-11-26T19:00:00Z')
    const command = { command: 'change', name: '', when: { dueMs } }
    expect(readSentence(text, { RED, language, clock })).toMatchObject(command)
  })

  it.each([
    ['en', 'move the dentist from 3 pm to 8 pm', 'the dentist', '2026-11-26T19:00:00Z'],
    ['en', 'move my 7 am alarm to 8 am', '', '2026-11-27T07:00:00Z'],
    ['en', 'change the alarm from 7 am to 8 am', '', '2026-11-27T07:00:00Z'],
    ['en', 'change the alarm from seven to 8 am', '', '2026-11-27T07:00:00Z'],
    ['en', 'move the call from mum to 8 pm', 'the call from mum', '2026-11-26T19:00:00Z'],
    ['de', 'verschiebe den Arzt von 15 Uhr auf 20 Uhr', 'den Arzt', '2026-11-26T19:00:00Z'],
    ['de', 'ändere den Wecker von sieben auf 20 Uhr', '', '2026-11-26T19:00:00Z'],
    ['fr', 'décale le dentiste de 15 heures à 20 heures', 'dentiste', '2026-11-26T19:00:00Z'],
    ['es', 'mueve el dentista de las tres a las 20', 'dentista', '2026-11-26T19:00:00Z'],
    ['zh', '把会议从三点改到20点', '会议', '2026-11-26T19:00:00Z'],
    ['ja', '会議を3時から20時に変更して', '会議', '2026-11-26T19:00:00Z'],
  ])('in the language %s is to the time behind "to": %s', (language, text, name, due) => {
    const command = { command: 'change', name, when: { dueMs: Date.parse(due) } }
    expect(readSentence(text, { RED, language, clock })).toMatchObject(command)
  })

  it.each([
    ['en', 'postpone this meeting by ten minutes', 'this meeting'],
    ['de', 'verschieb das Treffen um zehn Minuten', 'das Treffen'],
    ['es', 'aplaza esta reunión diez minutos', 'esta reunión'],
  ])('in the language %s keeps the name behind a pronoun: %s', (language, text, name) => {
    expect(readSentence(text, { RED, language, clock })).toMatchObject({ command: 'change', name })
  })
})

it.each([
  ['de', 'verschiebe den Tee auf fünf Minuten vor acht', '2026-11-26T18:55:00Z'],
  ['ja', '会議を8時10分前にずらして', '2026-11-26T18:50:00Z'],
  ['zh', '把会议提前到七点', '2026-11-26T18:00:00Z'],
  ['en', 'bring the dentist forward to 18:00', '2026-11-26T17:00:00Z'],
  ['fr', 'avance le thé à 18h', '2026-11-26T17:00:00Z'],
  ['en', 'change my alarm to 8', '2026-11-26T19:00:00Z'],
  ['en', 'change the meeting to 8 thirty tomorrow', '2026-11-27T07:30:00Z'],
  ['en', 'snooze the alarm until 8', '2026-11-26T19:00:00Z'],
  ['de', 'verschieb die Erinnerung auf acht', '2026-11-26T19:00:00Z'],
  ['de', 'verschieb das Treffen bis 8', '2026-11-26T19:00:00Z'],
  ['es', 'cambia la alarma para las 8', '2026-11-26T19:00:00Z'],
  ['es', 'aplaza la alarma hasta las 8', '2026-11-26T19:00:00Z'],
  ['fr', 'reporte le rappel jusqu’à 8 heures', '2026-11-26T19:00:00Z'],
  ['en', 'can you move the dentist to 8 pm?', '2026-11-26T19:00:00Z'],
  ['de', 'stell den Wecker auf 8 Uhr um', '2026-11-26T19:00:00Z'],
  ['es', '¿puedes mover el dentista a las 20?', '2026-11-26T19:00:00Z'],
  ['zh', '把会议调到晚上八点', '2026-11-26T19:00:00Z'],
])('in the language %s moves to a time: %s', (language, text, due) => {
  const command = readSentence(text, { RED, language, clock })
  expect(command).toMatchObject({ command: 'change', when: { dueMs: Date.parse(due) } })
  expect(command).not.toHaveProperty('by')
})

it.each([
  ['en', 'move the dentist from Friday to Monday', 'the dentist', '2026-11-30'],
  ['de', 'verschiebe den Arzt von Freitag auf Montag', 'den Arzt', '2026-11-30'],
  ['de', 'verleg den Arzt vom Freitag auf den Montag', 'den Arzt', '2026-11-30'],
  ['fr', 'décale le dentiste de vendredi à lundi', 'dentiste', '2026-11-30'],
  ['fr', 'décale le dentiste du vendredi au lundi', 'dentiste', '2026-11-30'],
  ['es', 'mueve el dentista del viernes al lunes', 'dentista', '2026-11-30'],
  ['zh', '把会议从周五推迟到周一', '会议', '2026-11-30'],
  ['ja', '会議を金曜日から月曜日にずらして', '会議', '2026-11-30'],
  ['en', 'move the dentist to march first', 'the dentist', '2027-03-01'],
  ['en', 'change it to may first', '', '2027-05-01'],
  ['ja', '会議を24日に延期して', '会議', '2026-12-24'],
  ['de', 'kannst du den Zahnarzt auf Freitag verschieben', 'den Zahnarzt', '2026-11-27'],
  ['de', 'schieb den Zahnarzt auf Freitag', 'den Zahnarzt', '2026-11-27'],
  ['fr', 'peux-tu décaler le dentiste à demain', 'dentiste', '2026-11-27'],
])('in the language %s moves to a day: %s', (language, text, name, day) => {
  const command = readSentence(text, { RED, language, clock })
  expect(command).toMatchObject({ command: 'change', name })
  expect(command).toHaveProperty('days.0', Date.parse(day))
})

it.each([
  ['en', 'bring the bins out at 19:00', 'bring the bins out'],
  ['en', 'shorten the trousers at 19:00', 'shorten the trousers'],
  ['de', 'zieh die Gardinen vor dem Essen zu um 19:00', 'zieh die Gardinen vor dem Essen zu'],
  ['en', 'push the car at 19:00', 'push the car'],
  ['en', 'extend the table for dinner at 19:00', 'extend the table for dinner'],
  ['en', 'add milk to the list at 19:00', 'milk to the list'],
  ['de', 'schieb den Kuchen in den Ofen um 19:00', 'schieb den Kuchen in den Ofen'],
  ['de', 'um 19:00 den Zahnarzt verschieben', 'den Zahnarzt verschieben'],
  ['de', 'Erinnerung um 19:00 Zahnarzt verschieben', 'Zahnarzt verschieben'],
  ['fr', 'ajoute du lait à la liste à 19h', 'du lait à la liste'],
  ['es', 'alarga la mesa a las 19', 'alarga la mesa'],
  ['zh', '晚上7点把空调调到二十六度', '空调调到二十六度'],
  ['ja', '19時に延長コードを買う', '延長コードを買う'],
  ['ja', '19時に早めに寝る', '早めに寝る'],
  ['zh', '晚上7点提前到校', '提前到校'],
])('in the language %s is no command: %s', (language, text, name) => {
  const dueMs = Date.parse('2026-11-26T18:00:00Z')
  const command = { command: 'set', name, when: { dueMs } }
  expect(readSentence(text, { RED, language, clock })).toMatchObject(command)
})

it.each([
  ['en', 'change the tea to five minutes'],
  ['en', 'postpone the tea to five minutes'],
  ['en', 'postpone the tea in five minutes'],
  ['de', 'verschiebe den Tee auf fünf Minuten'],
  ['fr', 'reporte la marche de deux heures à cinq minutes'],
  ['es', 'aplaza el té a cinco minutos'],
  ['fr', 'reporte le thé à cinq minutes'],
  ['ja', 'お茶を5分後に延期'],
])('in the language %s counts from now: %s', (language, text) => {
  const command = readSentence(text, { RED, language, clock })
  expect(command).toMatchObject({ command: 'change', when: { durationMs: 5 * minute } })
  expect(command).not.toHaveProperty('by')
})

it.each([
  ['en', 'postpone the alarm to 7:30', true],
  ['en', 'move the bins to tomorrow', true],
  ['en', 'change the alarm to 7:30', false],
  ['de', 'verschiebe den Müll auf morgen', true],
  ['de', 'ändere den Müll auf morgen', false],
  ['es', 'aplaza la alarma a las 7:30', true],
  ['fr', "reporte l'alarme à 7h30", true],
  ['ja', 'アラームを7時30分に延期', true],
  ['zh', '把闹钟推迟到七点半', true],
  ['zh', '把闹钟改到七点半', false],
])('in the language %s moves one that repeats only once: %s, %s', (language, text, isOnce) => {
  const command = readSentence(text, { RED, language, clock })
  expect(command).toMatchObject({ command: 'change' })
  expect(command).toMatchObject({ isOnce })
})

/** A test for each sentence of a language. */
function sentencesOf(sentences: Readonly<Record<string, readonly string[]>>): [string, string][] {
  return Object.entries(sentences).flatMap(([language, texts]) =>
    texts.map((text): [string, string] => [language, text]),
  )
}

describe('all reminders', () => {
  it.each(
    sentencesOf({
      en: [
        'cancel everything',
        'cancel all of them',
        'cancel all of my timers',
        'cancel all the timers and alarms',
        'delete all timers, alarms and reminders',
        'can you please cancel all my timers?',
        'stop all timers now',
        'turn all alarms off',
        'turn off all my alarms, please',
        'clear all the reminders I have',
        'remove every single reminder',
        'kill all timers',
        'all timers off',
      ],
      de: [
        'brich alles ab',
        'brich alle Timer ab',
        'brich bitte alle Timer ab',
        'lösche alle Timer und Erinnerungen',
        'lösche alle meine Timer, Wecker und alle Erinnerungen',
        'lösche bitte alle Timer',
        'lösche jede Erinnerung',
        'stoppe sofort alle Timer',
        'schalte alle Wecker aus',
        'stell bitte alle meine Wecker ab',
        'kannst du bitte alle Timer löschen?',
        'brechen Sie alle laufenden Timer ab',
        'alle Timer löschen',
        'bitte alle Wecker ausschalten',
        'alle Wecker aus!',
      ],
      fr: [
        'annule tous les minuteurs',
        'annule tous mes minuteurs et rappels',
        'supprime toutes les alarmes et tous les rappels',
        'efface tout, s’il te plaît',
        'annule-les tous',
        'annule chaque rappel',
        'supprime l’ensemble des rappels',
        'arrête tous les minuteurs en cours',
        'tu peux annuler tous mes rappels ?',
        'désactive toutes les alarmes',
        'supprimez tous les réveils maintenant',
      ],
      es: [
        'cancela todos los temporizadores',
        'cancela todos los temporizadores y recordatorios',
        'borra todas mis alarmas y todos mis recordatorios',
        'cancélalo todo',
        'bórralos todos',
        'elimina todas las alarmas, por favor',
        'quita todas las alarmas ahora',
        'cancela por favor todas las alarmas',
        'desactiva todas las alarmas',
        '¿puedes cancelar todos mis temporizadores?',
        'cancelar todas las alarmas',
      ],
      ja: [
        'タイマーを全部キャンセルして',
        'すべてのタイマーとリマインダーを削除して',
        'タイマーもアラームも全部取り消して',
        '全部のアラームを今すぐ止めてください',
        'アラームを全部解除して',
        'リマインダーを全て消してもらえますか？',
        '全部キャンセルお願いします',
        '全てのリマインダーを取り消してほしい',
        'タイマー、全部止めて',
        'アラームを全部オフにして',
        'もうすべて取り消してください',
      ],
      zh: [
        '取消所有的定时器和闹钟',
        '把所有闹钟都取消',
        '把闹钟全部关掉',
        '请帮我取消所有提醒',
        '取消我的所有闹钟',
        '删掉全部提醒',
        '所有闹钟都取消掉吧',
        '能不能取消所有的定时器？',
        '把它们都取消了',
        '全部取消',
        '把闹钟全部关了',
      ],
    }),
  )('are cancelled in the language %s by: %s', (language, text) => {
    const expected = { command: 'cancel', name: '', isAll: true, isEach: false }
    expect(readSentence(text, { RED, language, clock })).toEqual(expected)
  })

  it.each(
    sentencesOf({
      en: ['cancel all timers except the tea', 'delete everything but the bins'],
      de: ['lösche alles außer dem Tee', 'brich alle Timer bis auf den Tee ab'],
      fr: ['annule tout sauf le thé', 'supprime tous les rappels à part le thé'],
      es: ['cancela todo menos el té', 'borra todas las alarmas excepto la del té'],
      ja: ['お茶以外を全部取り消して', 'お茶を除いて全て削除して'],
      zh: ['除了茶以外都取消', '取消除了茶之外的所有定时器'],
    }),
  )('are not cancelled, nor is the exception, in the language %s by: %s', (language, text) => {
    expect(() => readSentence(text, { RED, language, clock })).toThrow('not-understood')
  })
})

it.each([
  ['en', 'cancel the timer', ''],
  ['en', 'cancel all tea timers', 'tea'],
  ['en', 'cancel every alarm on Monday', 'Monday'],
  ['en', 'can you cancel the tea timer?', 'tea'],
  ['en', 'please could you stop the timer', ''],
  ['en', 'turn the alarm off', ''],
  ['en', 'cancel it', ''],
  ['en', 'dismiss the alarm', ''],
  ['en', 'turn the tea timer off please', 'tea'],
  ['en', 'delete my reminder of the bins', 'the bins'],
  ['de', 'brich den Timer ab', ''],
  ['de', 'lösche den Timer', ''],
  ['de', 'lösche bitte meinen Wecker', ''],
  ['de', 'brich den Tee ab', 'den Tee'],
  ['de', 'brich die Timer ab', ''],
  ['de', 'brich das ab', ''],
  ['de', 'Timer abbrechen', ''],
  ['de', 'den Wecker löschen', ''],
  ['de', 'den Wecker morgen löschen', 'morgen'],
  ['de', 'lösche meine Erinnerungen', ''],
  ['de', 'stopp den Teetimer', 'den Teetimer'],
  ['de', 'schalte den Wecker aus', ''],
  ['de', 'stell bitte den Wecker ab', ''],
  ['de', 'lösche die Erinnerung an den Müll', 'den Müll'],
  ['de', 'kannst du den Wecker bitte ausschalten', ''],
  ['de', 'lösche alle Erinnerungen an den Müll', 'den Müll'],
  ['fr', "annule l'alarme", ''],
  ['fr', 'supprime le rappel', ''],
  ['fr', 'annule les minuteurs', ''],
  ['fr', 'annule-le', ''],
  ['fr', 'annule ça', ''],
  ['fr', 'peux-tu annuler le minuteur ?', ''],
  ['fr', 'annule l’eau', 'eau'],
  ['fr', 'éteins le réveil', ''],
  ['es', 'cancela la alarma', ''],
  ['es', 'cancela el temporizador del té', 'del té'],
  ['es', 'apaga la alarma', ''],
  ['es', 'cancela mis alarmas', ''],
  ['es', 'cancela eso', ''],
  ['es', 'para el té', 'té'],
  ['es', '¿puedes cancelar la alarma?', ''],
  ['es', 'borra la alarma del lunes', 'del lunes'],
  ['ja', 'タイマーを止めて', ''],
  ['ja', 'アラームを解除して', ''],
  ['ja', 'お茶のタイマーを止めて', 'お茶'],
  ['ja', '全部のお茶のタイマーを止めて', 'お茶'],
  ['zh', '取消闹钟', ''],
  ['zh', '把闹钟关了', ''],
  ['zh', '把茶的定时器取消', '茶'],
  ['zh', '取消和妈妈吃饭', '和妈妈吃饭'],
  ['zh', '取消除夕提醒', '除夕'],
  ['zh', '删掉茶的提醒', '茶'],
  ['zh', '请帮我取消茶', '茶'],
])('in the language %s cancels one: %s', (language, text, name) => {
  const expected = { command: 'cancel', name, isAll: false }
  expect(readSentence(text, { RED, language, clock })).toMatchObject(expected)
})

it.each([
  'mach den Wecker um 7 aus',
  'schalte den Wecker um 7 bitte aus',
  'den Wecker um 7 ausschalten',
  'bitte den Wecker um 7 ausschalten',
])('a German command with a time cancels: %s', (text) => {
  const command = readSentence(text, { RED, language: 'de', clock })
  const time = { minuteOfDay: 7 * 60, isEither: true }
  expect(command).toMatchObject({
    command: 'cancel',
    isAll: false,
    at: { name: '', said: { time } },
  })
})

it.each([
  ['en', 'don’t cancel the tea'],
  ['en', 'forget it'],
  ['de', 'lösch nicht den Tee'],
  ['fr', 'n’annule pas le thé'],
  ['es', 'no canceles el té'],
  ['ja', 'お茶をキャンセルしないで'],
  ['zh', '不要取消茶'],
  ['zh', '别取消茶'],
])('in the language %s cancels nothing: %s', (language, text) => {
  expect(() => readSentence(text, { RED, language, clock })).toThrow('not-understood')
})

it.each(
  sentencesOf({
    en: [
      'when is my alarm tomorrow?',
      'when’s my next alarm tomorrow?',
      'at what time is my alarm tomorrow?',
      'what time do I get up tomorrow?',
      'how many reminders do I have tomorrow?',
      'how much is left of the ten minute timer?',
      'is there anything tomorrow?',
      'is my alarm set for 7?',
      'are there any reminders for tomorrow?',
      'do I have anything at 8?',
      'have I got anything on tomorrow?',
      'any reminders for tomorrow?',
      'show my reminders for tomorrow',
      'show me all the alarms for tomorrow',
      'list the reminders for Monday',
      'read me my reminders for today',
      'tell me what I have tomorrow',
      'did I set an alarm for 7?',
      'check my reminders for tomorrow',
    ],
    de: [
      'welcher Wecker ist für morgen gestellt?',
      'welchem Termin folgt morgen der nächste?',
      'wann klingelt morgen mein Wecker?',
      'um wie viel Uhr klingelt morgen der Wecker?',
      'um wieviel Uhr muss ich morgen aufstehen?',
      'auf welche Zeit ist der Wecker morgen gestellt?',
      'wie viele Erinnerungen habe ich morgen?',
      'wie lange läuft der Timer von zehn Minuten noch?',
      'hab ich morgen was?',
      'gibt’s morgen Erinnerungen?',
      'ist für morgen ein Wecker gestellt?',
      'steht morgen etwas an?',
      'zeig mir die Erinnerungen für morgen',
      'nenn mir bitte alle Erinnerungen für morgen',
      'sag mir, was ich morgen habe',
      'läuft noch der Timer von zehn Minuten?',
      'wofür ist der Wecker morgen?',
    ],
    fr: [
      'à quelle heure est mon réveil demain ?',
      'quand sonne mon réveil demain ?',
      'pour quelle heure est l’alarme demain ?',
      'ai-je quelque chose demain ?',
      'qu’ai-je demain ?',
      'j’ai quoi demain ?',
      'est-ce que j’ai un rappel demain ?',
      'est-ce qu’il y a quelque chose demain ?',
      'y a-t-il un rappel demain ?',
      'combien de rappels ai-je demain ?',
      'que dois-je faire demain ?',
      'que me reste-t-il à faire demain ?',
      'mon réveil est à quelle heure demain ?',
      'j’ai quelque chose demain ?',
      'c’est quand mon rappel de demain ?',
      'montre-moi mes rappels de demain',
      'affiche toutes les alarmes de demain',
      'dis-moi ce que j’ai demain',
      'combien de temps reste-t-il du minuteur de dix minutes ?',
    ],
    es: [
      '¿a qué hora es mi alarma mañana?',
      '¿cuándo suena mi alarma mañana?',
      '¿cuántas alarmas tengo mañana?',
      '¿cuántos recordatorios hay para mañana?',
      '¿cuál es mi alarma de mañana?',
      '¿para qué hora está la alarma de mañana?',
      '¿está puesta la alarma de las 7?',
      '¿me queda algo mañana?',
      '¿hay algo mañana?',
      'tengo algo mañana',
      '¿tengo alarmas mañana?',
      'tengo alarmas mañana',
      'dime qué tengo mañana',
      'muéstrame los recordatorios de mañana',
      'muestra mis alarmas de mañana',
      '¿cuánto falta para el temporizador de diez minutos?',
    ],
    ja: [
      'あと何分か教えて',
      'あとどのくらいか教えて',
      'タイマーがいくつあるか教えて',
      '明日は何時に起きる？',
      '明日のアラームは何時？',
      '明日のアラームはいつですか',
      '明日は何があるか教えて',
      '明日は何がありますか',
      '明日リマインダーはありますか？',
      '明日のリマインダーを見せて',
      '明日のアラームを教えて',
      '5分のタイマーの残り時間は？',
      '10分のタイマーはあとどれくらい？',
      '明日のリマインダーはいくつ？',
      '明日何かある？',
      '明日の予定は？',
    ],
    zh: [
      '今天有什么要提醒我的',
      '10分钟的定时器还剩多久',
      '10分钟的定时器还有多久',
      '10分钟的定时器还要多久',
      '明天有什么安排',
      '明天有哪些提醒',
      '明天早上有什么',
      '明天有几个闹钟',
      '明天有没有闹钟',
      '明天有提醒吗',
      '明天的闹钟是几点',
      '明天的闹钟几点响',
      '明天几点叫我起床',
      '显示明天的提醒',
      '查看明天的闹钟',
      '告诉我明天有什么提醒',
      '我明天有什么事',
      '10分钟的定时器还有几分钟',
      '我明天设了几个闹钟',
    ],
  }),
)('in the language %s asks: %s', (language, text) => {
  const earlyAndLate = ['2026-11-26T05:00:00Z', '2026-11-26T15:00:00Z'].map((time) =>
    readSentence(text, { RED, language, clock: { ...clock, nowMs: Date.parse(time) } }),
  )
  expect(earlyAndLate).toEqual(Array(2).fill({ command: 'list', name: '' }))
})

it.each(
  sentencesOf({
    en: [
      'when I get home at 8 call mum',
      'tell me when ten minutes are over',
      'list the car for sale tomorrow',
      'read the book at 8',
      'remind me tomorrow what to buy',
      'can you turn off the oven in ten minutes',
      'can you delete all photos tomorrow',
      'could you stop by tomorrow to call mum',
      'get rid of the leaves tomorrow',
      'kill the weeds tomorrow',
    ],
    de: [
      'sag mir, wenn zehn Minuten um sind',
      'zeig mir um 8 den Film',
      'morgen fragen, wie viele Gäste kommen',
      'erinnere mich morgen, was ich kaufen soll',
      'stell den Herd in zehn Minuten ab',
      'kannst du alle Fotos morgen um 7 löschen',
      'stell den Wecker auf 7 Uhr',
      'morgen die Fotos löschen',
      'Erinnerung morgen um 7 Herd ausschalten',
      'Timer zehn Minuten Herd ausschalten',
      'Wecker um 7 ausschalten nicht vergessen',
      'vergiss nicht, morgen den Müll rauszubringen',
      'vergiss bitte nicht den Müll morgen',
      'vergiss morgen nicht, Brot zu kaufen',
    ],
    fr: [
      'quand je rentre à 8 heures appeler maman',
      'montre le film à 20 heures',
      'est-ce que tu peux me rappeler le dentiste demain ?',
      'rappelle-moi demain que dois-je acheter',
      'j’ai rendez-vous demain à 8 heures',
      'éteins le four dans dix minutes',
      'tu peux arrêter le four dans dix minutes',
    ],
    es: [
      'cuando llegue a casa a las 8 llamar a mamá',
      '¿puedes recordarme el dentista mañana?',
      'muestra la película a las 8',
      'hay que sacar la basura mañana',
      'para mañana a las 7 comprar pan',
      'para el lunes comprar pan',
      'cancelar la suscripción mañana',
      'apaga el horno en diez minutos',
      '¿puedes apagar el horno en diez minutos?',
    ],
    ja: [
      '明日9時にいくつかメールを送る',
      '明日9時に冷蔵庫に何があるか確認',
      '明日9時に卵がいくつあるか確認',
      '明日9時に残りの牛乳を捨てる',
      '10分経ったら教えて',
      '10分後にエアコンをオフにして',
      '明日7時に予定があるので早起き',
      '明日9時に予定を確認',
    ],
    zh: [
      '明天八点看看冰箱里有什么',
      '明天八点提醒我看看有什么安排',
      '十分钟后叫我',
      '明天八点问问有没有票',
      '明天八点买几个苹果',
      '明天八点删掉照片',
      '明天八点还要多买牛奶',
      '十分钟后把火关了',
      '明天八点看看还有什么菜',
    ],
  }),
)('in the language %s sets a reminder: %s', (language, text) => {
  expect(readSentence(text, { RED, language, clock })).toMatchObject({ command: 'set' })
})

describe('what somebody wants to stop later', () => {
  it.each([
    ['en', 'turn off the oven in ten minutes', 'turn off the oven', 10],
    ['en', 'switch off the oven in ten minutes', 'switch off the oven', 10],
    ['en', 'stop the dryer at 17:00', 'stop the dryer', 60],
    ['en', 'remove the egg in three minutes', 'remove the egg', 3],
    ['en', 'please clear the table in ten minutes', 'clear the table', 10],
    ['de', 'mach den Ofen in zehn Minuten aus', 'Ofen aus', 10],
    ['de', 'stopp den Ofen in zehn Minuten', 'stopp den Ofen', 10],
    ['de', 'beende die Waschmaschine um 17 Uhr', 'beende die Waschmaschine', 60],
    ['es', 'para el horno en diez minutos', 'para el horno', 10],
    ['es', 'apaga el horno en diez minutos', 'apaga el horno', 10],
    ['es', 'quita la olla del fuego en diez minutos', 'quita la olla del fuego', 10],
    ['fr', 'arrête le four dans dix minutes', 'arrête le four', 10],
    ['fr', 'enlève le gâteau dans dix minutes', 'enlève le gâteau', 10],
    ['ja', '10分後にオーブンを止めて', 'オーブンを止めて', 10],
    ['ja', '電気を10分後に消して', '電気を消して', 10],
    ['zh', '十分钟后关掉烤箱', '关掉烤箱', 10],
    ['zh', '十分钟后把烤箱关闭', '烤箱关闭', 10],
  ])('is a reminder in the language %s: %s', (language, text, name, minutes) => {
    const when = { dueMs: clock.nowMs + minutes * minute }
    expect(readSentence(text, { RED, language, clock })).toMatchObject({
      command: 'set',
      name,
      when,
    })
  })

  it.each([
    ['en', 'stop the tea'],
    ['en', 'stop the ten minute timer'],
    ['en', 'turn off the alarm at seven'],
    ['en', 'cancel the dentist tomorrow'],
    ['de', 'stopp den Teetimer von zehn Minuten'],
    ['es', 'para la alarma de mañana'],
    ['fr', "arrête l'alarme de demain"],
    ['ja', '10分のタイマーを止めて'],
    ['zh', '关掉明天的闹钟'],
  ])(
    'is no new reminder without a time, or with a word for a reminder, in the language %s: %s',
    (language, text) => {
      expect(readSentence(text, { RED, language, clock })).toMatchObject({ command: 'cancel' })
    },
  )
})

it.each([
  ['de', 'jeden zweiten Montag um 7:30 Müll'],
  ['fr', 'un lundi sur deux à 7:30'],
  ['de', 'um 8:00 und um 20:00'],
  ['en', 'turn off the oven at 8 and 9'],
])('in the language %s, no other language reads a part of: %s', (language, text) => {
  expect(() => readSentence(text, { RED, language, clock })).toThrow('not-possible')
  expect(() => readCommandObject({ when: text }, { RED, language, clock })).toThrow('not-possible')
})

it.each([
  ['en', 'move the meeting from Monday to Friday'],
  ['fr', 'déplace le rendez-vous du lundi au jeudi'],
  ['es', 'mueve la cita de lunes a jueves'],
])('in the language %s is no recurrence: %s', (language, text) => {
  const command = readSentence(text, { RED, language, clock })
  expect(command).toMatchObject({ command: 'change' })
  expect(command).toHaveProperty('days')
})
