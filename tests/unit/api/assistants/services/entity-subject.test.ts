import { expect, test } from 'vitest'
import { subjectId } from '../../../../../api/assistants/services/entity-subject.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'

test.each([
  [{ value: '203.0.113[.]7' }, entityId('ip', '203.0.113.7')],
  [{ value: 'hxxps[:]//Evil[.]example/a' }, entityId('url', 'https://evil.example/a')],
  [{ value: 'mallory[at]evil(dot)example' }, entityId('email-address', 'mallory@evil.example')],
  [{ value: 'evil(dot)example' }, entityId('domain', 'evil.example')],
  [{ type: 'hostname', value: 'Evil[.]example' }, entityId('hostname', 'evil.example')],
  [{ type: 'malware', value: 'Some Thing' }, entityId('malware', 'some thing')],
  [{ id: entityId('ip', '203.0.113.7') }, entityId('ip', '203.0.113.7')],
])('%j names an entity', (given, id) => expect(subjectId(given)).toBe(id))

test.each([
  [{}, 'value: is required, unless id is given'],
  [{ id: entityId('ip', '203.0.113.7'), value: '203.0.113.7' }, 'id: cannot be combined with value or type'],
  [{ value: 'some words' }, 'type: is required, because the type cannot be detected from the value'],
  [{ type: 'nothing', value: 'x' }, 'type: is not an entity type of the catalogue'],
  [{ type: 'ip', value: 'x' }, /^value: /],
])('%j is refused with its name', (given, message) => expect(() => subjectId(given)).toThrow(message))
