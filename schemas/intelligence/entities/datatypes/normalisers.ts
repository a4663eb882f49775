import type { Normaliser } from '../refusal.ts'
import { adversary } from './adversary.ts'
import { cidr } from './cidr.ts'
import { base64, digest, hexadecimal } from './digest.ts'
import { email } from './email.ts'
import { fqdn } from './fqdn.ts'
import { identifier, uuid } from './identifier.ts'
import { ip } from './ip.ts'
import { mac, mimeType, port } from './network.ts'
import { boolean, float, integer } from './number.ts'
import { path } from './path.ts'
import { phone } from './phone.ts'
import { city, country } from './place.ts'
import { regex } from './regex.ts'
import type { DataType } from './table.ts'
import { caseSensitiveText, text } from './text.ts'
import { date, datetime } from './time.ts'
import { url } from './url.ts'

/**
 * How a value of each datatype is read (decisions 3.2). Apart from the table of datatypes, which the console loads into
 * a browser: some normalisers need Node.
 */
export const NORMALISERS: Readonly<Record<DataType, Normaliser>> = {
  String: text,
  'Case-sensitive string': caseSensitiveText,
  IP: ip,
  CIDR: cidr,
  FQDN: fqdn,
  URL: url,
  MD5: digest('MD5'),
  'SHA-1': digest('SHA-1'),
  'SHA-224': digest('SHA-224'),
  'SHA-256': digest('SHA-256'),
  'SHA-384': digest('SHA-384'),
  'SHA-512': digest('SHA-512'),
  'SHA3-224': digest('SHA3-224'),
  'SHA3-256': digest('SHA3-256'),
  'SHA3-384': digest('SHA3-384'),
  'SHA3-512': digest('SHA3-512'),
  'SHA512-224': digest('SHA512-224'),
  'SHA512-256': digest('SHA512-256'),
  Email: email,
  Port: port,
  Country: country,
  City: city,
  Date: date,
  Datetime: datetime,
  Integer: integer,
  Float: float,
  Boolean: boolean,
  UUID: uuid,
  MAC: mac,
  'MIME type': mimeType,
  Phone: phone,
  Path: path,
  Regex: regex,
  Hexadecimal: hexadecimal,
  BASE64: base64,
  Adversary: adversary,
  'UUID|MD5|SHA3-256': identifier,
}
