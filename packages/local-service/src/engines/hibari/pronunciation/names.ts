import type { TextTable } from './text-table.ts'

/** Names that are in neither list, and that the network for unknown words would misread, without accents. */
const namesOfPeople = `
  aarav ˈɑɹəv, agnes ˈæɡnəs, aisha ɑˈiʃə, aoife ˈifə, begona bəɡˈOnjə, benoit bənwˈɑ, beyonce biˈɑnsˌA, bjork bjˈɔɹk
  bjorn bjˈɔɹn, chiara kiˈɑɹə, chloe klˈOi, deshawn dəʃˈɔn, dmitri dəmˈitɹi, dvorak dvˈɔɹʒæk, etienne ˌɛtiˈɛn
  francois fɹɑnswˈɑ, gianluca ʤˌɑnlˈukə, giovanni ʤˌiəvˈɑni, giuseppe ʤəsˈɛpi, guillermo ɡijˈɛɹmO, hannah hˈænə
  hiroshi hɪɹˈOʃi, ibrahim ˈɪbɹəhˌim, inaki ɪnˈɑki, joaquin wɑkˈin, jorge hˈɔɹhˌA, jurgen jˈɜɹɡən, kaitlyn kˈAtlɪn
  katarzyna kˌɑtəʒˈinə, kathe kˈATə, latoya lətˈYə, lorenzo ləɹˈɛnzO, mackenzie məkˈɛnzi, mateusz mɑtˈAʊʃ
  mohammed mOhˈɑməd, nguyen wˈɪn, niamh nˈiv, o'connor Okˈɑnəɹ, o'neill Onˈil, olga ˈOlɡə, priya pɹˈijə
  saoirse sˈɪɹʃə, sean ʃˈɔn, sergei sˈɛɹɡˌA, siobhan ʃəvˈɔn, takahashi tˌɑkəhˈɑʃi, wojciech vˈYʧɛk, xavier zˈAvjəɹ
  ximena hɪmˈAnə, xiomara sˌiəmˈɑɹə, yuki jˈuki, zbigniew zbˈɪɡnjɛf, zhang ʤˈɑŋ, zoe zˈOi
`
const namesOfPlaces = `
  arhus ˈɔɹhˌus, avenida ˌævənˈidə, calle kˈIjA, champs ʃˌɑnz, dusseldorf dˈʊsəldˌɔɹf, elysees ˌAlizˈA
  goteborg jˈɜtəbˌɔɹi, koln kˈɜln, krakow kɹˈækˌW, lodz wˈʊʤ, marseille mɑɹsˈA, munchen mˈʊnʃən, rivoli ɹˈɪvəli
  tromso tɹˈʌmsO
`
const namesOfDevices = `
  aqara əkˈɑɹə, arduino ˌɑɹdʊˈinO, bosch bˈɑʃ, braun bɹˈɔn, cortana kɔɹtˈɑnə, danfoss dˈænfˌɔs, de'longhi dəlˈɔŋɡi
  debian dˈɛbiən, deezer dˈizəɹ, ecobee ˈikObˌi, esphome ˌiˌɛspˈihˌOm, fritz!box fɹˈɪtsbˌɑks, fronius fɹˈOniəs
  fyrtur fˈɪɹtʊɹ, github ɡˈɪthˌʌb, govee ɡˈOvi, grafana ɡɹəfˈɑnə, grohe ɡɹˈOə, homematic hˌOmmˈæTɪk, ikea Ikˈiə
  iobroker ˌIˌObɹˈOkəɹ, ipad ˈIpˌæd, iphone ˈIfˌOn, kubernetes kˌubəɹnˈɛTiz, legrand ləɡɹˈænd, liebherr lˈibhˌɛɹ
  miele mˈilə, mosquitto məskˈiTO, nanoleaf nˈænOlˌif, nespresso nɛspɹˈɛsO, netatmo nɛtˈætmO, nginx ˌɛnʤənˈɛks
  nuki nˈuki, philips fˈɪləps, roborock ɹˈObOɹˌɑk, roomba ɹˈumbə, somfy sˈɑmfi, sonos sˈOnOs, styrbar stˈɪɹbˌɑɹ
  symfonisk sɪmfˈɑnɪsk, tasmota tæzmˈOTə, tradfri tɹˈɑdfɹi, tuya tˈujə, vaillant vˈIlənt, velux vˈilʌks
  viessmann vˈismən, vindstyrka vˈɪndstɪɹkə, whatsapp wˈʌtsˌæp, xiaomi ʃˈWmi
`
const words = `
  acai ˌɑsIˈi, creme kɹˈɛm, hab hˈæb, hepa hˈɛpə, jalapeno hˌɑləpˈAnjO, nas nˈæs, qled kjˈulˌɛd
`

const names: ReadonlyMap<string, string> = new Map(
  [namesOfPeople, namesOfPlaces, namesOfDevices, words].flatMap((list) =>
    list.split(/[,\n]/).flatMap((line) => {
      const [name, sounds] = line.trim().split(' ')
      return name && sounds ? [[name, sounds] as const] : []
    }),
  ),
)

/** The last parts of names of streets. */
const streets = { strasse: 'ʃtɹˌɑsə', allee: 'əlˌA', platz: 'plˌɑts' }

/** Guesses words by their parts, if they are names of streets. */
export function guessStreets(guess: (word: string) => string): (word: string) => string {
  return (word) => {
    const street = Object.entries(streets).find(
      ([ending]) => word.length > ending.length + 2 && word.toLowerCase().endsWith(ending),
    )
    return street ? guess(word.slice(0, -street[0].length)) + street[1] : guess(word)
  }
}

/** Adds the names to a list of words, whether or not they are written with capitals. */
export function withNames(list: TextTable): TextTable {
  return { get: (word) => names.get(word.toLowerCase()) ?? list.get(word) }
}
