import { expect, test } from 'vitest'
import { json, jsonText, jsonTexts } from '../../../../../../schemas/feeds-out/formats/text/json.ts'
import { isDeceiving } from '../../../../../../schemas/feeds-out/formats/text/text.ts'

test('no character of the text deceives, and each is read back', () => {
  for (let code = 0; code < 0x110000; code += code < 0x3000 || (code > 0xe0000 && code < 0xe0100) ? 1 : 251) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const text = `a${String.fromCodePoint(code)}b`
    const written = json({ text })
    expect(isDeceiving(written)).toBe(false)
    expect(JSON.parse(written)).toEqual({ text })
    expect(jsonText(text)).toBe(json(text))
  }
})

test('texts alone are written as within an object', () => {
  for (const texts of [[], [''], ['a', '"', '\\', '\u{202e}'], ['\ud800', "'", '\u007f']])
    expect(jsonTexts(texts)).toBe(json(texts))
})
