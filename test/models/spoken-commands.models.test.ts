import { mkdirSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Client, createClient } from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createScenes,
  type SpokenLanguage,
  speakerOf,
} from '../intelligibility/spoken-command-scenes.ts'
import { startKokoroSpeaker } from './kokoro/kokoro-speaker.ts'
import { prepareOnce } from './packages.ts'
import { writeWhisper } from './whisper/whisper.ts'

const count = Number(process.env['PARLANDO_SPOKEN_COMMANDS'] || 40)
const timeout = 7_200_000

interface MeasuredLanguage extends SpokenLanguage {
  /** Speaks it if no voice of the service does. */
  startSpeaker?: () => ReturnType<typeof startKokoroSpeaker>
}

const languages: readonly MeasuredLanguage[] = [
  {
    language: 'de-DE',
    words: ['stopp', 'okay', 'später', 'noch einmal'],
    frames: [
      'Auf dem Schild an der Tür steht {}, und niemand liest es.',
      'Er sagte {}, und dann ging er ohne Schirm aus dem Haus.',
      'Ruf mich {} an, wenn es klingelt. Das Paket soll mittags kommen.',
      'Das Essen ist fertig. {}. Es steht auf dem Tisch in der Küche.',
      'Es regnet. Sag {}. Das Fenster im Schlafzimmer ist offen.',
    ],
    commands: [
      ['stopp', 'stop'],
      ['okay', 'acknowledge'],
      ['später', 'later'],
      ['noch einmal', 'again'],
      ['in Ordnung', 'acknowledge'],
      ['erinnere mich später', 'later'],
    ],
  },
  {
    language: 'es-ES',
    words: ['para', 'vale', 'más tarde', 'otra vez'],
    frames: [
      'En la puerta hay un letrero que dice {}, y nadie lo lee.',
      'La cena está lista. {}. Está en la mesa de la cocina.',
      'Llámame {} si suena el timbre. El paquete llega al mediodía.',
    ],
    commands: [
      ['silencio', 'stop'],
      ['de acuerdo', 'acknowledge'],
      ['más tarde', 'later'],
      ['otra vez', 'again'],
    ],
  },
  {
    language: 'fr-FR',
    words: ['stop', "d'accord", 'plus tard', 'encore'],
    frames: [
      'Sur la porte, il y a un panneau qui dit {}, et personne ne le lit.',
      'Le dîner est prêt. {}. Il est sur la table de la cuisine.',
      'Appelle-moi {} si on sonne. Le colis doit arriver à midi.',
    ],
    commands: [
      ['silence', 'stop'],
      ["d'accord", 'acknowledge'],
      ['plus tard', 'later'],
      ['encore une fois', 'again'],
    ],
  },
  {
    language: 'ja-JP',
    startSpeaker: () => startKokoroSpeaker('ja'),
    words: ['ストップ', 'オーケー', 'あとで', 'もう一度'],
    frames: [
      'ドアの札に{}と書いてありますが、だれも読みません。',
      '夕食ができました。{}。台所のテーブルの上にあります。',
      'チャイムが鳴ったら、{}電話してください。荷物は昼に届きます。',
    ],
    commands: [
      ['ストップ', 'stop'],
      ['了解', 'acknowledge'],
      ['あとで', 'later'],
      ['もう一度', 'again'],
      ['静かにして', 'stop'],
      ['わかった', 'acknowledge'],
      ['あとで教えて', 'later'],
      ['もう一度言って', 'again'],
    ],
  },
  {
    language: 'zh-CN',
    startSpeaker: () => startKokoroSpeaker('zh'),
    words: ['停止', '好的', '稍后', '再来一次'],
    frames: [
      '门上的牌子写着{}，可是没有人看。',
      '晚饭做好了。{}。饭菜在厨房的桌子上。',
      '如果门铃响了，请{}给我打电话。包裹中午到。',
    ],
    commands: [
      ['停止', 'stop'],
      ['好的', 'acknowledge'],
      ['稍后', 'later'],
      ['再来一次', 'again'],
      ['安静', 'stop'],
      ['知道了', 'acknowledge'],
      ['稍后提醒我', 'later'],
      ['再说一遍', 'again'],
    ],
  },
]

describe.each(languages)('spoken commands in $language, with Whisper base', (spoken) => {
  let dataFolder: string
  let service: ChildService
  let client: Client
  let speaker: Awaited<ReturnType<typeof startKokoroSpeaker>> | undefined
  let scenes: ReturnType<typeof createScenes>
  /** Nobody speaks like the robot voices of espeak-ng. */
  const builtInSpeaker = async () => {
    const code = spoken.language.slice(0, 2).toUpperCase()
    const { voices } = await client.listVoices()
    const own = voices.filter(({ langCode, tags }) => {
      return langCode?.startsWith(code) && !tags?.includes('robot')
    })
    expect(own).not.toEqual([])
    return speakerOf(client, own)
  }
  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'parlando-models-'))
    const models = join(dataFolder, 'models')
    mkdirSync(models)
    const whisper = await prepareOnce('whisper-base', writeWhisper)
    symlinkSync(whisper, join(models, basename(whisper)))
    const apiKey = keys.service
    service = await startLocalServiceProcess({
      apiKey,
      dataFolder,
      enginesFolder: optionalEnginesFolder,
      warmUp: false,
    })
    const patience = { firstByteTimeoutMs: 600_000, silenceTimeoutMs: 600_000 }
    client = createClient({ baseUrl: service.baseUrl, apiKey, ...patience })
    speaker = await spoken.startSpeaker?.()
    scenes = createScenes(client, spoken, speaker ?? (await builtInSpeaker()), count)
  }, timeout)
  afterAll(async () => {
    await speaker?.close()
    await client?.close()
    await service?.close()
    await rm(dataFolder, { recursive: true, force: true })
  })

  it('are not heard in announcements that contain them', { timeout }, async () => {
    expect(await scenes.listenAlone()).toEqual([])
  })

  it('are understood over an announcement, and none as another', { timeout }, async () => {
    const { wrong } = await scenes.listenToCommands()
    expect(wrong).toEqual([])
  })
})
