/** What an entity is made as; `ip4` and `ip6` are both of the type `ip`. */
export type EntityKind =
  | 'ip4'
  | 'ip6'
  | 'cidr'
  | 'domain'
  | 'hostname'
  | 'url'
  | 'email-address'
  | 'sha256'
  | 'sha1'
  | 'md5'
  | 'file'
  | 'filename'
  | 'ja3-fingerprint'
  | 'certificate-fingerprint'

/** What a group of entities is about, and what is in it: the weight of each kind. */
export type Theme = {
  nature: 'malicious' | 'benign' | 'unclear'
  tags: readonly string[]
  kinds: readonly (readonly [EntityKind, number])[]
}

/** What campaigns are about, with how often. */
export const CAMPAIGNS: readonly (readonly [Theme, number])[] = [
  [
    {
      nature: 'malicious',
      tags: ['phishing', 'credential-theft'],
      kinds: [
        ['domain', 26],
        ['url', 34],
        ['ip4', 14],
        ['hostname', 8],
        ['email-address', 14],
        ['sha256', 4],
      ],
    },
    28,
  ],
  [
    {
      nature: 'malicious',
      tags: ['botnet', 'c2'],
      kinds: [
        ['ip4', 48],
        ['ip6', 8],
        ['domain', 14],
        ['url', 8],
        ['sha256', 12],
        ['md5', 4],
        ['ja3-fingerprint', 4],
        ['cidr', 2],
      ],
    },
    22,
  ],
  [
    {
      nature: 'malicious',
      tags: ['ransomware', 'extortion'],
      kinds: [
        ['ip4', 18],
        ['domain', 16],
        ['url', 12],
        ['sha256', 22],
        ['sha1', 6],
        ['md5', 8],
        ['file', 10],
        ['filename', 5],
        ['email-address', 3],
      ],
    },
    12,
  ],
  [
    {
      nature: 'malicious',
      tags: ['stealer', 'malware'],
      kinds: [
        ['domain', 20],
        ['url', 22],
        ['ip4', 14],
        ['sha256', 20],
        ['sha1', 8],
        ['md5', 8],
        ['file', 5],
        ['certificate-fingerprint', 3],
      ],
    },
    16,
  ],
  [
    {
      nature: 'malicious',
      tags: ['scanning', 'brute-force', 'ssh'],
      kinds: [
        ['ip4', 84],
        ['ip6', 10],
        ['cidr', 6],
      ],
    },
    14,
  ],
  [
    {
      nature: 'malicious',
      tags: ['spam'],
      kinds: [
        ['ip4', 38],
        ['domain', 26],
        ['email-address', 24],
        ['url', 12],
      ],
    },
    8,
  ],
]

/** What is reported beside the campaigns. */
export const EVERYDAY_LIFE: readonly (readonly [Theme, number])[] = [
  [
    {
      nature: 'benign',
      tags: ['web-server', 'legitimate'],
      kinds: [
        ['domain', 40],
        ['hostname', 14],
        ['ip4', 22],
        ['ip6', 6],
        ['url', 8],
        ['sha256', 7],
        ['cidr', 3],
      ],
    },
    40,
  ],
  [
    {
      nature: 'unclear',
      tags: ['suspicious'],
      kinds: [
        ['ip4', 36],
        ['ip6', 5],
        ['domain', 24],
        ['url', 14],
        ['hostname', 6],
        ['sha256', 8],
        ['email-address', 5],
        ['cidr', 2],
      ],
    },
    38,
  ],
  [
    {
      nature: 'malicious',
      tags: ['abuse'],
      kinds: [
        ['ip4', 46],
        ['ip6', 4],
        ['domain', 20],
        ['url', 16],
        ['md5', 5],
        ['sha256', 9],
      ],
    },
    22,
  ],
]
