import { describe, expect, it } from 'vitest'
import { reminderLanguage } from '../grammars/grammars.ts'
import { readWhen } from './read-when.ts'

/** A Thursday, at four in the afternoon. */
const clock = { nowMs: Date.parse('2026-11-26T15:00:00Z'), timeZone: 'Europe/Berlin' }
const format = new Intl.DateTimeFormat('sv-SE', {
  timeZone: clock.timeZone,
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** The local time, the recurrence and the name. */
function read(language: string, text: string, now = clock): string {
  const when = readWhen(text, reminderLanguage(language), now)
  if (!when) return 'nothing'
  const { recurrence, dueMs, name } = when
  const days = recurrence && ('days' in recurrence ? recurrence.days.join('') : recurrence.everyMs)
  return [format.format(dueMs), days && `every ${days}`, name].filter(Boolean).join(' ')
}

describe.each([
  [
    'en',
    {
      'in ten minutes': '2026-11-26 16:10:00',
      'in 10 minutes tea': '2026-11-26 16:10:00 tea',
      'in half an hour': '2026-11-26 16:30:00',
      'in an hour and a half': '2026-11-26 17:30:00',
      'in 2 hours and 5 minutes': '2026-11-26 18:05:00',
      'in twenty-five minutes': '2026-11-26 16:25:00',
      'in ten minutes the Monday paper': '2026-11-26 16:10:00 the Monday paper',
      'ten minutes': '2026-11-26 16:10:00',
      '90 seconds': '2026-11-26 16:01:30',
      'ten more minutes': '2026-11-26 16:10:00',
      'at seven': '2026-11-26 19:00:00',
      'at seven thirty': '2026-11-26 19:30:00',
      'at half past seven': '2026-11-26 19:30:00',
      'at quarter to eight': '2026-11-26 19:45:00',
      'at ten past five call Anna': '2026-11-26 17:10:00 call Anna',
      'at 19:30': '2026-11-26 19:30:00',
      'at 07:00': '2026-11-27 07:00:00',
      '7pm': '2026-11-26 19:00:00',
      'at 7 a.m.': '2026-11-27 07:00:00',
      'at 3': '2026-11-27 03:00:00',
      'at noon': '2026-11-27 12:00:00',
      'at midnight': '2026-11-27 00:00:00',
      'tomorrow at 7:30 the bins': '2026-11-27 07:30:00 the bins',
      'remind me to take out the bins tomorrow at 7:30': '2026-11-27 07:30:00 take out the bins',
      'remind me in 45 minutes about the cake': '2026-11-26 16:45:00 the cake',
      'the day after tomorrow at nine': '2026-11-28 09:00:00',
      'tomorrow morning': '2026-11-27 08:00:00',
      'tonight at eight': '2026-11-26 20:00:00',
      'on Monday at 9': '2026-11-30 09:00:00',
      'December 24 at 6pm': '2026-12-24 18:00:00',
      'the 24th of December at 18:00': '2026-12-24 18:00:00',
      '2026-12-24T18:00 the tree': '2026-12-24 18:00:00 the tree',
      'in three days': '2026-11-29 16:00:00',
      'in three days at seven': '2026-11-29 07:00:00',
      'set a tea timer for five minutes': '2026-11-26 16:05:00 tea',
      'at seven walk for ten minutes': '2026-11-26 19:00:00 walk for ten minutes',
      'at seven walk in the sun': '2026-11-26 19:00:00 walk in the sun',
      'every weekday at six': '2026-11-27 06:00:00 every 12345',
      'every day at 18:00 the cat': '2026-11-26 18:00:00 every 0123456 the cat',
      'every Monday and Friday at 7': '2026-11-27 07:00:00 every 15',
      'Mondays at eight yoga': '2026-11-30 08:00:00 every 1 yoga',
      'every evening at eight': '2026-11-26 20:00:00 every 0123456',
      'every two hours drink': '2026-11-26 18:00:00 every 7200000 drink',
      'the tea by ten minutes': '2026-11-26 16:10:00 the tea',
      'at two at night': '2026-11-27 02:00:00',
      'at ten at night': '2026-11-26 22:00:00',
      'tomorrow night at half past twelve': '2026-11-28 00:30:00',
      'every night at two the backup': '2026-11-27 02:00:00 every 0123456 the backup',
      'every night at ten': '2026-11-26 22:00:00 every 0123456',
      'every evening at five': '2026-11-26 17:00:00 every 0123456',
      'on Friday evening at eight': '2026-11-27 20:00:00',
      'Saturday afternoon at three': '2026-11-28 15:00:00',
      'Friday night at two': '2026-11-28 02:00:00',
      'Saturday evening': '2026-11-28 19:00:00',
      'every Friday evening at eight yoga': '2026-11-27 20:00:00 every 5 yoga',
      'remind me tomorrow about the Friday evening concert':
        '2026-11-27 09:00:00 the Friday evening concert',
      'at twelve noon': '2026-11-27 12:00:00',
      'Friday noon': '2026-11-27 12:00:00',
      'at noon walk for ten minutes': '2026-11-27 12:00:00 walk for ten minutes',
      'at noon call Anna at seven': '2026-11-27 12:00:00 call Anna at seven',
      'in three quarters of an hour': '2026-11-26 16:45:00',
      'in an hour and a quarter': '2026-11-26 17:15:00',
      'tomorrow at half seven': '2026-11-27 07:30:00',
      'in a hundred and twenty minutes': '2026-11-26 18:00:00',
      'in one hundred twenty-five minutes': '2026-11-26 18:05:00',
      'Friday next week at nine': '2026-12-04 09:00:00',
      'next week on Friday evening': '2026-12-04 19:00:00',
      'next Friday at nine': '2026-11-27 09:00:00',
      'on Friday, December 4 at 9 the bins': '2026-12-04 09:00:00 the bins',
      'Friday the 4th of December at nine': '2026-12-04 09:00:00',
      'at half past midnight': '2026-11-27 00:30:00',
      'at a quarter to midnight the oven': '2026-11-26 23:45:00 the oven',
      'ten past noon': '2026-11-27 12:10:00',
      'at twenty to midnight': '2026-11-26 23:40:00',
      'Friday evening, December 4 at eight': '2026-12-04 20:00:00',
      'on Friday evening the 4th of December at eight cinema': '2026-12-04 20:00:00 cinema',
      'on Friday afternoon, December 4': '2026-12-04 15:00:00',
      'in 2 h': '2026-11-26 18:00:00',
      '2 h cake': '2026-11-26 18:00:00 cake',
      'remind me tomorrow at 5:30pm of the tea': '2026-11-27 17:30:00 the tea',
      'wake me at 6:45am': '2026-11-27 06:45:00',
      'meeting 3:15p.m.': '2026-11-27 15:15:00 meeting',
      'at 5 that I am meeting Bob': '2026-11-26 17:00:00 I am meeting Bob',
      'that I am out of milk': 'nothing',
      'erinnere mich am Bahnhof': 'nothing',
      'today at 12': 'nothing',
    },
  ],
  [
    'de',
    {
      'in zehn Minuten': '2026-11-26 16:10:00',
      'in einer halben Stunde': '2026-11-26 16:30:00',
      'in anderthalb Stunden': '2026-11-26 17:30:00',
      'in einer Viertelstunde Pizza': '2026-11-26 16:15:00 Pizza',
      'um sieben': '2026-11-26 19:00:00',
      'halb acht': '2026-11-26 19:30:00',
      'um halb acht': '2026-11-26 19:30:00',
      'um Viertel vor acht': '2026-11-26 19:45:00',
      'um dreiviertel acht': '2026-11-26 19:45:00',
      'fünf nach sieben': '2026-11-26 19:05:00',
      'um 19:30 Uhr': '2026-11-26 19:30:00',
      'um 7 Frühstück': '2026-11-26 19:00:00 Frühstück',
      'morgen um 7:30 der Müll': '2026-11-27 07:30:00 der Müll',
      'morgen um 7 Uhr 30 der Müll': '2026-11-27 07:30:00 der Müll',
      'morgen früh um sechs': '2026-11-27 06:00:00',
      'heute Abend um acht': '2026-11-26 20:00:00',
      'am 24.12. um 9': '2026-12-24 09:00:00',
      'am 24. Dezember um 18 Uhr': '2026-12-24 18:00:00',
      'nächsten Freitag um 10': '2026-11-27 10:00:00',
      'Erinnere mich morgen um 7:30 an den Müll': '2026-11-27 07:30:00 den Müll',
      'Stell einen Timer auf fünf Minuten': '2026-11-26 16:05:00',
      'jeden Werktag um sechs': '2026-11-27 06:00:00 every 12345',
      'montags um acht Sport': '2026-11-30 08:00:00 every 1 Sport',
      'alle zwei Stunden trinken': '2026-11-26 18:00:00 every 7200000 trinken',
      'den Timer um zehn Minuten': '2026-11-26 16:10:00 den',
      'nachts um zwei': '2026-11-27 02:00:00',
      'nachts um halb eins': '2026-11-27 00:30:00',
      'heute Nacht um zwei': '2026-11-27 02:00:00',
      'jede Nacht um zwei': '2026-11-27 02:00:00 every 0123456',
      'am Freitag Abend um acht': '2026-11-27 20:00:00',
      'Freitagabend um acht Kino': '2026-11-27 20:00:00 Kino',
      Samstagnachmittag: '2026-11-28 15:00:00',
      'Samstag Morgen um acht': '2026-11-28 08:00:00',
      'Freitagnacht um zwei': '2026-11-28 02:00:00',
      'jeden Freitagabend um acht Sport': '2026-11-27 20:00:00 every 5 Sport',
      'in 2 h Pizza': '2026-11-26 18:00:00 Pizza',
      'Stell einen Timer auf 2 h': '2026-11-26 18:00:00',
      'um 19 h': '2026-11-26 19:00:00',
      'um 7 Hemden bügeln': '2026-11-26 19:00:00 Hemden bügeln',
      'Erinnere mich morgen Mittag an den Arzt': '2026-11-27 12:00:00 den Arzt',
      'übermorgen Mittag': '2026-11-28 12:00:00',
      'morgen Mittag um eins': '2026-11-27 13:00:00',
      'um zwölf Uhr mittags': '2026-11-27 12:00:00',
      'Samstag Mittag': '2026-11-28 12:00:00',
      'Samstagmittag um halb eins': '2026-11-28 12:30:00',
      'morgen um halb zwölf mittags': '2026-11-27 11:30:00',
      'um fünf vor halb acht': '2026-11-26 19:25:00',
      'um fünf nach halb acht': '2026-11-26 19:35:00',
      'morgen um viertel acht': '2026-11-27 07:15:00',
      'in hundertzwanzig Minuten': '2026-11-26 18:00:00',
      'nächste Woche Freitag um neun': '2026-12-04 09:00:00',
      'am Sonntag nächster Woche um neun': '2026-12-06 09:00:00',
      'am Freitag, den 4. Dezember um neun der Müll': '2026-12-04 09:00:00 der Müll',
      'um zehn nach Mitternacht': '2026-11-27 00:10:00',
      'Viertel vor Mitternacht': '2026-11-26 23:45:00',
      '2 h Kuchen': '2026-11-26 18:00:00 Kuchen',
      '2 h 30 min Braten': '2026-11-26 18:30:00 Braten',
      'morgen 9 h Zahnarzt': '2026-11-27 09:00:00 Zahnarzt',
      'am Freitag 9 h Zahnarzt': '2026-11-27 09:00:00 Zahnarzt',
      'am 24.12. 9 h Baum': '2026-12-24 09:00:00 Baum',
      'Kuchen Geburtstag 2 h': '2026-11-26 18:00:00 Kuchen Geburtstag',
      'Pizza Feierabend 2 h': '2026-11-26 18:00:00 Pizza Feierabend',
      'heute Abend 9 h Kino': '2026-11-26 21:00:00 Kino',
      'Freitagabend 9 h Kino': '2026-11-27 21:00:00 Kino',
      'morgen Vormittag 9 h Zahnarzt': '2026-11-27 09:00:00 Zahnarzt',
      'Freitagabend, den 4. Dezember um acht': '2026-12-04 20:00:00',
      'am Freitagabend, den 4.12. um acht Kino': '2026-12-04 20:00:00 Kino',
      'Freitagnacht, den 4. Dezember um zwei': '2026-12-05 02:00:00',
      '19 h Kino': '2026-11-26 19:00:00 Kino',
      'um 6 Uhr früh': '2026-11-27 06:00:00',
      'um halb sieben früh': '2026-11-27 06:30:00',
      'in einer drei viertel Stunde': '2026-11-26 16:45:00',
      'in drei viertel Stunden': '2026-11-26 16:45:00',
      'um 12 Uhr': '2026-11-27 12:00:00',
    },
  ],
  [
    'es',
    {
      'en diez minutos': '2026-11-26 16:10:00',
      'en media hora': '2026-11-26 16:30:00',
      'en una hora y media': '2026-11-26 17:30:00',
      'a las siete y media': '2026-11-26 19:30:00',
      'a las ocho menos cuarto': '2026-11-26 19:45:00',
      'a las siete de la mañana': '2026-11-27 07:00:00',
      'mañana a las 7:30 la basura': '2026-11-27 07:30:00 la basura',
      'mañana por la mañana a las 8': '2026-11-27 08:00:00',
      'pasado mañana a las 9': '2026-11-28 09:00:00',
      'el 24 de diciembre a las 18:00': '2026-12-24 18:00:00',
      'recuérdame sacar la basura mañana a las 7': '2026-11-27 07:00:00 sacar la basura',
      'pon un temporizador de cinco minutos': '2026-11-26 16:05:00',
      'cada día laborable a las seis': '2026-11-27 06:00:00 every 12345',
      'todos los lunes y viernes a las 8': '2026-11-27 08:00:00 every 15',
      'a las siete diez minutos de yoga': '2026-11-26 19:00:00 diez minutos de yoga',
      'esta noche a las dos': '2026-11-27 02:00:00',
      'esta noche a las diez': '2026-11-26 22:00:00',
      'cada noche a las dos': '2026-11-27 02:00:00 every 0123456',
      'cada tarde a las dos': '2026-11-27 14:00:00 every 0123456',
      'el viernes por la noche a las ocho': '2026-11-27 20:00:00',
      'en dos horas y diez': '2026-11-26 18:10:00',
      'a las doce del mediodía': '2026-11-27 12:00:00',
      'mañana al mediodía': '2026-11-27 12:00:00',
      'en ciento veinte minutos': '2026-11-26 18:00:00',
      'en una hora y cuarto': '2026-11-26 17:15:00',
      'el viernes de la próxima semana a las 9': '2026-12-04 09:00:00',
      'el viernes de la semana que viene a las 9': '2026-12-04 09:00:00',
      'el viernes 4 de diciembre a las 9 la basura': '2026-12-04 09:00:00 la basura',
      'en 2 h': '2026-11-26 18:00:00',
      '2 h pastel': '2026-11-26 18:00:00 pastel',
      'a las 17h llamar a mamá': '2026-11-26 17:00:00 llamar a mamá',
      'a las 17 h llamar a mamá': '2026-11-26 17:00:00 llamar a mamá',
      'a las 17:30h llamar a mamá': '2026-11-26 17:30:00 llamar a mamá',
      'el viernes por la noche, 4 de diciembre a las ocho cine': '2026-12-04 20:00:00 cine',
      'el viernes por la tarde, el 4 de diciembre': '2026-12-04 15:00:00',
      'el viernes por la noche 4/12 a las ocho': '2026-12-04 20:00:00',
      'mañana 17:30 h llamar a mamá': '2026-11-27 17:30:00 llamar a mamá',
      'a las 6:45am': '2026-11-27 06:45:00',
      'mañana a las 7 pm': '2026-11-27 19:00:00',
      'el viernes a las 3pm correr': '2026-11-27 15:00:00 correr',
      'a las 7 a. m.': '2026-11-27 07:00:00',
      '7pm correr': '2026-11-26 19:00:00 correr',
    },
  ],
  [
    'fr',
    {
      'dans dix minutes': '2026-11-26 16:10:00',
      'dans une demi-heure': '2026-11-26 16:30:00',
      'dans quatre-vingt-dix minutes': '2026-11-26 17:30:00',
      'dans soixante-douze minutes': '2026-11-26 17:12:00',
      'dans une heure et demie': '2026-11-26 17:30:00',
      'à sept heures': '2026-11-26 19:00:00',
      'à sept heures et demie': '2026-11-26 19:30:00',
      'à huit heures moins le quart': '2026-11-26 19:45:00',
      'à 7h30': '2026-11-26 19:30:00',
      'à sept heures du matin': '2026-11-27 07:00:00',
      'demain à 7h30 les poubelles': '2026-11-27 07:30:00 les poubelles',
      'après-demain à 9h': '2026-11-28 09:00:00',
      'ce soir à huit heures': '2026-11-26 20:00:00',
      'le 24 décembre à 18h': '2026-12-24 18:00:00',
      'rappelle-moi de sortir les poubelles demain à 7h30':
        '2026-11-27 07:30:00 sortir les poubelles',
      'chaque jour ouvré à six heures': '2026-11-27 06:00:00 every 12345',
      'tous les lundis et vendredis à 8h': '2026-11-27 08:00:00 every 15',
      'mets un minuteur de deux heures dix minutes': '2026-11-26 18:10:00',
      'à sept heures dix minutes de marche': '2026-11-26 19:00:00 dix minutes de marche',
      'cette nuit à deux heures': '2026-11-27 02:00:00',
      'chaque nuit à deux heures': '2026-11-27 02:00:00 every 0123456',
      'chaque soir à cinq heures': '2026-11-26 17:00:00 every 0123456',
      'vendredi soir à huit heures': '2026-11-27 20:00:00',
      'samedi après-midi à trois heures': '2026-11-28 15:00:00',
      'tous les vendredis soir à huit heures': '2026-11-27 20:00:00 every 5',
      'le vendredi soir à huit heures': '2026-11-27 20:00:00 every 5',
      'dans 2h': '2026-11-26 18:00:00',
      'dans 1h30 le gâteau': '2026-11-26 17:30:00 gâteau',
      'dans une heure vingt': '2026-11-26 17:20:00',
      'dans deux heures dix minutes': '2026-11-26 18:10:00',
      'mets un minuteur de 1h30': '2026-11-26 17:30:00',
      "mets un minuteur d'une heure et demie": '2026-11-26 17:30:00',
      "mets un minuteur d'une heure vingt": '2026-11-26 17:20:00',
      "d'ici 2 h": '2026-11-26 18:00:00',
      'à midi et demi': '2026-11-27 12:30:00',
      'demain à midi et quart': '2026-11-27 12:15:00',
      'à midi moins le quart': '2026-11-27 11:45:00',
      'à minuit et demi': '2026-11-27 00:30:00',
      "à trois heures de l'après-midi": '2026-11-27 15:00:00',
      'dans cent vingt minutes': '2026-11-26 18:00:00',
      'dans une heure et quart': '2026-11-26 17:15:00',
      'vendredi de la semaine prochaine à 9h': '2026-12-04 09:00:00',
      'la semaine prochaine vendredi soir': '2026-12-04 19:00:00',
      'le vendredi de la semaine prochaine à 9h': '2026-12-04 09:00:00',
      'le vendredi soir de la semaine prochaine à huit heures': '2026-12-04 20:00:00',
      'la semaine prochaine, le vendredi à 9h': '2026-12-04 09:00:00',
      'le vendredi prochain à 9h': '2026-11-27 09:00:00',
      'le vendredi 4 décembre à 9h les poubelles': '2026-12-04 09:00:00 les poubelles',
      'le vendredi 4/12 à 9h': '2026-12-04 09:00:00',
      'le vendredi à 9h': '2026-11-27 09:00:00 every 5',
      'à midi dix': '2026-11-27 12:10:00',
      'demain midi vingt-cinq le rôti': '2026-11-27 12:25:00 rôti',
      'à midi moins dix': '2026-11-27 11:50:00',
      'à minuit cinq': '2026-11-27 00:05:00',
      'à minuit moins vingt': '2026-11-26 23:40:00',
      'vendredi soir 4 décembre à huit heures': '2026-12-04 20:00:00',
      'le vendredi soir, le 4 décembre à huit heures': '2026-12-04 20:00:00',
      'le vendredi soir 4/12 à huit heures': '2026-12-04 20:00:00',
      'à une heure dix': '2026-11-27 01:10:00',
      "à une heure dix de l'après-midi": '2026-11-27 13:10:00',
      'à une heure dix minutes de marche': '2026-11-27 01:00:00 dix minutes de marche',
      'à midi 10 gouttes': '2026-11-27 12:00:00 10 gouttes',
      'à midi dix gouttes': '2026-11-27 12:00:00 dix gouttes',
      'à midi dix les courses': '2026-11-27 12:10:00 les courses',
      'à midi dix mes pilules': '2026-11-27 12:10:00 mes pilules',
      'à midi deux comprimés': '2026-11-27 12:00:00 deux comprimés',
      'à midi dix minutes de marche': '2026-11-27 12:00:00 dix minutes de marche',
      'à 12h': '2026-11-27 12:00:00',
    },
  ],
  [
    'ja',
    {
      '10分後': '2026-11-26 16:10:00',
      二十五分後にケーキ: '2026-11-26 16:25:00 ケーキ',
      '1時間半後': '2026-11-26 17:30:00',
      午後7時: '2026-11-26 19:00:00',
      明日7時30分にゴミ出し: '2026-11-27 07:30:00 ゴミ出し',
      明後日の7時半: '2026-11-28 07:30:00',
      '12月24日18時': '2026-12-24 18:00:00',
      '3分タイマーをセットして': '2026-11-26 16:03:00',
      平日の6時に: '2026-11-27 06:00:00 every 12345',
      毎週月曜日と金曜日の8時: '2026-11-27 08:00:00 every 15',
      深夜2時に薬: '2026-11-27 02:00:00 薬',
      今夜2時: '2026-11-27 02:00:00',
      今夜8時: '2026-11-26 20:00:00',
      毎晩2時: '2026-11-27 02:00:00 every 0123456',
      金曜日の夜8時: '2026-11-27 20:00:00',
      正午に薬: '2026-11-27 12:00:00 薬',
      百二十分後: '2026-11-26 18:00:00',
      来週の金曜日9時: '2026-12-04 09:00:00',
      次の金曜日9時: '2026-11-27 09:00:00',
      '12月4日金曜日9時にゴミ': '2026-12-04 09:00:00 ゴミ',
      '12時に': '2026-11-27 12:00:00',
    },
  ],
  [
    'zh',
    {
      十分钟后: '2026-11-26 16:10:00',
      一个半小时后: '2026-11-26 17:30:00',
      晚上8点: '2026-11-26 20:00:00',
      明天早上7点30分: '2026-11-27 07:30:00',
      提醒我明天七点半倒垃圾: '2026-11-27 07:30:00 倒垃圾',
      '12月24日18点': '2026-12-24 18:00:00',
      十分钟后提醒我喝茶: '2026-11-26 16:10:00 喝茶',
      五分钟的定时器: '2026-11-26 16:05:00',
      每个工作日六点: '2026-11-27 06:00:00 every 12345',
      每周一和周五八点: '2026-11-27 08:00:00 every 15',
      夜里两点: '2026-11-27 02:00:00',
      今晚八点: '2026-11-26 20:00:00',
      每晚两点: '2026-11-27 02:00:00 every 0123456',
      周五晚上八点: '2026-11-27 20:00:00',
      明天中午十二点半: '2026-11-27 12:30:00',
      明天中午一点: '2026-11-27 13:00:00',
      明天中午吃药: '2026-11-27 12:00:00 吃药',
      一百二十分钟后: '2026-11-26 18:00:00',
      明天八点差五分: '2026-11-27 07:55:00',
      明天差一刻八点: '2026-11-27 07:45:00',
      下周五九点: '2026-12-04 09:00:00',
      下个星期天九点: '2026-12-06 09:00:00',
      这周五九点: '2026-11-27 09:00:00',
      '12月4日星期五九点倒垃圾': '2026-12-04 09:00:00 倒垃圾',
    },
  ],
] as const)('a time in the language %s', (language, texts) => {
  it.each(Object.entries(texts))('is read: %s', (text, expected) => {
    expect(read(language, text)).toBe(expected)
  })
})

describe('the night of a day', () => {
  it.each([
    ['de', 'heute Nacht um zwei', '2026-11-26T19:00:00Z', '2026-11-27 02:00:00'],
    ['de', 'heute Nacht um zwei', '2026-11-27T00:00:00Z', '2026-11-27 02:00:00'],
    ['de', 'nachts um zwei', '2026-11-27T00:00:00Z', '2026-11-27 02:00:00'],
    ['en', 'at half past twelve', '2026-11-26T23:10:00Z', '2026-11-27 00:30:00'],
    ['en', 'every night at two', '2026-11-27T00:00:00Z', '2026-11-27 02:00:00 every 0123456'],
    ['en', 'tonight at two', '2026-11-27T02:00:00Z', '2026-11-28 02:00:00'],
    ['de', 'Freitagnacht um zwei', '2026-11-28T00:00:00Z', '2026-11-28 02:00:00'],
    ['de', 'Freitagnacht um zwei', '2026-11-28T09:00:00Z', '2026-12-05 02:00:00'],
    ['en', 'Friday night at two', '2026-11-28T00:00:00Z', '2026-11-28 02:00:00'],
    ['fr', 'vendredi nuit à deux heures', '2026-11-28T00:00:00Z', '2026-11-28 02:00:00'],
    ['ja', '金曜日の夜2時', '2026-11-28T00:00:00Z', '2026-11-28 02:00:00'],
    ['zh', '周五晚上两点', '2026-11-28T00:00:00Z', '2026-11-28 02:00:00'],
    ['es', 'el viernes por la noche a las dos', '2026-11-28T00:00:00Z', '2026-11-28 02:00:00'],
    ['en', 'every Friday night at two', '2026-11-28T00:00:00Z', '2026-11-28 02:00:00 every 5'],
    ['en', 'December 31 at two at night', '2027-01-01T00:00:00Z', '2027-01-01 02:00:00'],
  ])('ends in the morning: %s, %s at %s', (language, text, now, expected) => {
    expect(read(language, text, { ...clock, nowMs: Date.parse(now) })).toBe(expected)
  })
})

it.each([
  ['de', 'morgen Mittag der Arzt', '2026-11-27 12:00:00 der Arzt'],
  ['de', 'heute Mittag um eins', '2026-11-26 13:00:00'],
  ['en', 'at noon', '2026-11-26 12:00:00'],
])('noon is on its day, or the next one: %s, %s', (language, text, expected) => {
  expect(read(language, text, { ...clock, nowMs: Date.parse('2026-11-26T09:00:00Z') })).toBe(
    expected,
  )
})

it.each([
  ['zh', '下周一九点'],
  ['ja', '来週の月曜日9時'],
  ['en', 'Monday next week at nine'],
])('a day of the next week is never today: %s, %s', (language, text) => {
  const aMonday = { ...clock, nowMs: Date.parse('2026-11-30T07:00:00Z') }
  expect(read(language, text, aMonday)).toBe('2026-12-07 09:00:00')
})

describe('no time', () => {
  it.each([
    'the bins',
    'walk in the sun',
    '',
    '2020-01-01 at 7',
    '2027-02-30 at 7',
    'at 25:00',
    'today at 03:00',
    'every 10 seconds',
    'every two days at 7',
    'in 20 years',
    'in 999 weeks',
    `in ten minutes ${'x'.repeat(200)}`,
  ])('is read in %j', (text) => {
    expect(read('en', text)).toBe('nothing')
  })
})

it('a timer has a duration, and a point in time has none', () => {
  const durationOf = (text: string) => readWhen(text, reminderLanguage('en'), clock)?.durationMs
  expect(durationOf('in ten minutes')).toBe(600_000)
  expect(durationOf('at seven')).toBeUndefined()
})

describe('over a change of the clock', () => {
  const before = { timeZone: 'Europe/Berlin', nowMs: Date.parse('2026-03-28T23:30:00Z') }

  it('a duration of hours is as long as it says', () => {
    const when = readWhen('in three hours', reminderLanguage('en'), before)
    expect(when?.dueMs).toBe(before.nowMs + 3 * 60 * 60_000)
  })

  it('a duration of days ends at the same time of day', () => {
    expect(read('en', 'in two days', before)).toBe('2026-03-31 00:30:00')
  })

  it('a time that the clock skips is an hour later', () => {
    expect(read('en', 'at 2:30', before)).toBe('2026-03-29 03:30:00')
  })

  it('a time that comes twice is the first one', () => {
    const nowMs = Date.parse('2026-10-24T23:30:00Z')
    const when = readWhen('at 2:30', reminderLanguage('en'), { ...before, nowMs })
    expect(new Date(when!.dueMs).toISOString()).toBe('2026-10-25T00:30:00.000Z')
  })
})
