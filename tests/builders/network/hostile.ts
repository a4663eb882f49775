/** Addresses, hosts, URLs and headers that somebody would try. Text only: nothing here is ever connected to. */

const repeated = (text: string, times: number): string => text.repeat(times)

/** Addresses that are not public, in spellings that `net.isIP` knows. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  // this network, private, loopback, link-local
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.0', '10.0.0.1', '10.255.255.255', '127.0.0.1', '127.0.0.2'],
  ...['127.1.2.3', '127.255.255.255', '169.254.0.1', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  ...['172.16.0.0', '172.16.0.1', '172.20.10.1', '172.31.255.255', '192.168.0.1', '192.168.1.254', '192.168.255.255'],
  // shared, protocol assignments, documentation, relays, benchmarking
  ...['100.64.0.0', '100.64.0.1', '100.100.100.200', '100.127.255.255', '192.0.0.1', '192.0.0.192', '192.0.0.170'],
  ...['192.0.2.1', '198.51.100.7', '203.0.113.9', '192.88.99.1', '198.18.0.1', '198.19.255.255', '192.31.196.1'],
  ...['192.52.193.1', '192.175.48.1'],
  // multicast, reserved, broadcast, metadata on a public range
  ...['224.0.0.1', '224.0.0.251', '239.255.255.250', '240.0.0.1', '254.1.2.3', '255.255.255.254', '255.255.255.255'],
  ...['168.63.129.16'],
  // IPv6: unspecified, loopback, unique local, link-local, site-local, multicast, discard
  ...['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', 'fc00::1', 'fd00::1', 'fd00:ec2::254'],
  ...['fd12:3456:789a:1::1', 'fdff:ffff::1', 'fe80::1', 'fe80::a9fe:a9fe', 'febf::1', 'fec0::1', 'feff::1', 'ff00::1'],
  ...['ff02::1', 'ff02::fb', 'ff0e::1', '100::1', 'FE80::1', 'FD00:EC2::254'],
  // zones
  ...['fe80::1%eth0', 'fe80::1%1', '::1%lo', '2606:4700:4700::1111%eth0'],
  // IPv4 inside: mapped, compatible, translated, NAT64, local NAT64, 6to4, Teredo
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:7F00:0001', '0:0:0:0:0:ffff:7f00:1', '::ffff:10.0.0.1'],
  ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:192.168.0.1', '::ffff:0.0.0.0', '::ffff:100.64.0.1'],
  ...['::ffff:168.63.129.16', '::ffff:255.255.255.255', '::ffff:224.0.0.1'],
  ...['::127.0.0.1', '::7f00:1', '::10.0.0.1', '::a9fe:a9fe', '::8.8.8.8', '::2', '::ffff', '::ffff:0:127.0.0.1'],
  ...['::ffff:0:8.8.8.8', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1'],
  ...['64:ff9b::192.168.1.1', '64:ff9b::0.0.0.0', '64:ff9b::a83f:8110', '64:ff9b:1::8.8.8.8', '64:ff9b:1::7f00:1'],
  ...['2002:7f00:1::', '2002:7f00:1::1', '2002:a00:1::1', '2002:a9fe:a9fe::1', '2002:c0a8:1::1', '2002:808:808::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:0:4136:e378:8000:63bf:80ff:fffe', '2001:0:808:808::1'],
  // special or unused ranges
  ...['2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:1::1', '2001:1ff::1'],
  ...['2001:db8::1', '2001:db8:ffff::1', '3fff::1', '3fff:fff::1', '2620:4f:8000::1', '5f00::1', '4000::1', '8000::1'],
  ...['c000::1', 'fa00::1', '1::1', '64:ff9c::1', '200::1', '400::1', '1000::1', '1fff:ffff::1'],
]

/** Texts that are no address for us, though one reader or another takes them for one. */
export const NO_ADDRESSES: readonly string[] = [
  ...['', ' ', 'localhost', '127.1', '127.0.1', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '017700000001'],
  ...['127.0.0.1 ', ' 127.0.0.1', '127.0.0.1\n', '127.0.0.1.', '127.0.0.01', '127.0.0.1/8', '[::1]', '::1]', ':::1'],
  ...['1.2.3', '1.2.3.4.5', '256.1.1.1', '1.2.3.-4', '8.8.8.8:80', '8.8.8.8\0', '１２７.0.0.1', '::ffff:127.1', '::g'],
  ...['1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '12345::', '::1::', '%eth0', '8.8.8', '+8.8.8.8', '8,8,8,8', '0x08.8.8.8'],
]

/** URLs whose text alone condemns them, and that a careless reader of the text would pass. */
export const HOSTILE_URLS: readonly string[] = [
  // decimal, octal, hexadecimal, shortened, padded, in other digits, encoded
  ...['http://2130706433/', 'http://017700000001/', 'http://0x7f000001/', 'http://0x7F000001/', 'http://127.1/'],
  ...['http://127.0.1/', 'http://0/', 'http://0x0/', 'http://00000000000/', 'http://0177.0.0.1/', 'http://0177.1/'],
  ...[
    'http://0x7f.0.0.1/',
    'http://0x7f.1/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://127.000.000.001/',
    'http://127.0.0.1./',
  ],
  ...['http://2852039166/', 'http://0xa9fea9fe/', 'http://0251.0376.0251.0376/', 'http://0xa9.0xfe.0xa9.0xfe/'],
  ...['http://169.254.43518/', 'http://169.16689662/', 'http://0300.0250.0.1/', 'http://10.1/', 'http://012.1.2.3/'],
  ...['http://%31%32%37%2e%30%2e%30%2e%31/', 'http://127%2E0%2E0%2E1/', 'http://１２７.０.０.１/', 'http://①②⑦.⓪.⓪.①/'],
  ...['http://127。0。0。1/', 'http://127．0．0．1/', 'http://127｡0｡0｡1/', 'http://3232235777/', 'http://167772161/'],
  ...[
    'https://2886729729/',
    'http://4294967295/',
    'http://0xffffffff/',
    'http://1684301000/',
    'http://0x64.0x64.0x64.0xc8/',
  ],
  ...[
    'http://0xa83f8110/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
  ],
  // IPv6 literals
  ...[
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
  ],
  ...['http://[::127.0.0.1]/', 'http://[::ffff:169.254.169.254]/', 'http://[fd00:ec2::254]/', 'http://[fe80::1]/'],
  ...['http://[fe80::1%25eth0]/', 'http://[::1%25lo]/', 'http://[64:ff9b::7f00:1]/', 'http://[64:ff9b::a9fe:a9fe]/'],
  ...[
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[ff02::1]/',
    'http://[fc00::1]/',
    'http://[fec0::1]/',
  ],
  ...['http://[::FFFF:0A00:0001]/', 'http://[2001:db8::1]/', 'http://[0000::0001]:8080/', 'http://[::ffff:0:7f00:1]/'],
  // names of a machine or a network
  ...['http://localhost/', 'http://LOCALHOST/', 'http://localhost./', 'http://localhost:8080/', 'http://a.localhost/'],
  ...['http://a.localhost./', 'http://ｌｏｃａｌｈｏｓｔ/', 'http://loc%61lhost/', 'http://localhost.localdomain/'],
  ...[
    'http://ip6-localhost/',
    'http://metadata/',
    'http://metadata.google.internal/',
    'http://metadata.google.internal./',
  ],
  ...[
    'http://instance-data/',
    'http://kubernetes.default.svc.cluster.local/',
    'http://kubernetes/',
    'http://db.internal/',
  ],
  ...['http://printer.local/', 'http://nas.lan/', 'http://router.home/', 'http://wiki.corp/', 'http://x.intranet/'],
  ...[
    'http://x.home.arpa/',
    'http://x.private/',
    'http://1.0.0.127.in-addr.arpa/',
    'http://x.test/',
    'http://x.invalid/',
  ],
  ...['http://x.onion/', 'http://postgres:5432/', 'http://clickhouse:8123/', 'http://host.docker.internal:2375/'],
  // credentials, which hide the host from the eye
  ...['http://hooks.example.com@127.0.0.1/', 'http://hooks.example.com:x@127.0.0.1/', 'http://a@hooks.example.com/'],
  ...['http://127.0.0.1@hooks.example.com/', 'http://a:b@hooks.example.com/', 'https://:b@hooks.example.com/'],
  ...[
    'http://hooks.example.com%40127.0.0.1/',
    'http://127.0.0.1\\@hooks.example.com/',
    'http://127.0.0.1#@hooks.example.com/',
  ],
  ...[
    'http://127.0.0.1?@hooks.example.com/',
    'http:127.0.0.1/',
    'http:/127.0.0.1/',
    'http:///127.0.0.1/',
    'http:\\\\127.0.0.1/',
  ],
  ...['https:////127.0.0.1//', 'http://127.0.0.1:80\\@hooks.example.com'],
  // other protocols and no URL at all
  ...[
    'file:///etc/passwd',
    'ftp://hooks.example.com/',
    'gopher://hooks.example.com/_x',
    'javascript:alert(1)',
    'data:,x',
  ],
  ...['ws://hooks.example.com/', 'wss://hooks.example.com/', 'unix:/var/run/docker.sock', 'http+unix://%2Fvar%2Frun/'],
  ...[
    'dict://hooks.example.com:11211/',
    'ldap://hooks.example.com/',
    'jar:http://hooks.example.com!/',
    'blob:x',
    'about:blank',
  ],
  ...[
    '//hooks.example.com/',
    'hooks.example.com',
    '/x',
    '',
    'http://',
    'https://',
    'http:',
    'http://:80/',
    'http://[::1/',
  ],
  ...[
    'http://[::1]x/',
    'http://[127.0.0.1]/',
    'http://a b/',
    'http://256.256.256.256/',
    'http://1.2.3.4.5/',
    'http://999999999999/',
  ],
  ...[
    'http://hooks.example.com:65536/',
    'http://hooks.example.com:-1/',
    'http://hooks.example.com:x/',
    'http://0x7f.1.2.3.4/',
  ],
  // ends of lines and spaces, which parsers drop
  ...[
    'http://hooks.example.com/\r\nhost: x',
    'http://hooks.exa\nmple.com/',
    'http://loc\talhost/',
    ' http://hooks.example.com/',
  ],
  ...['http://hooks.example.com/ HTTP/1.1\r\n\r\n', 'http://hooks.example.com/\0', '\u00a0http://hooks.example.com/'],
  // ports of other protocols
  ...[
    'http://hooks.example.com:22/',
    'http://hooks.example.com:25/',
    'https://hooks.example.com:465/',
    'http://hooks.example.com:0/',
  ],
  ...[
    'http://hooks.example.com:53/',
    'http://hooks.example.com:389/',
    'http://hooks.example.com:1023/',
    'http://hooks.example.com:993/',
  ],
  // too long
  `https://hooks.example.com/${repeated('a', 2048)}`,
  `https://hooks.example.com/${repeated('ä', 1000)}`,
]

type Hostile = { key: string; value: string }

const named = (...keys: string[]): Hostile[] => keys.map((key) => ({ key, value: 'x' }))

/** Headers that may not go out, each alone. */
export const HOSTILE_HEADERS: readonly Hostile[] = [
  ...named(
    'Host',
    'host',
    'HOST',
    'Connection',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'transfer-encoding',
  ),
  ...named(
    'Upgrade',
    'HTTP2-Settings',
    'Expect',
    'Proxy-Authorization',
    'Proxy-Connection',
    'proxy-',
    'Proxy-Authenticate',
  ),
  ...named(
    'Content-Length',
    'content-length',
    'Content-Type',
    'Content-Encoding',
    'Content-MD5',
    'content-',
    'CONTENT-LENGTH',
  ),
  ...named(
    'X-Harrier-Signature',
    'x-harrier-delivery',
    'x-harrier-',
    'User-Agent',
    'Via',
    'Forwarded',
    'X-Forwarded-For',
  ),
  ...named('x-forwarded-host', 'X-Real-IP'),
  // no names
  ...named(
    '',
    ' ',
    'a b',
    'a:',
    ':method',
    ':authority',
    'a\r\nhost',
    'a\n',
    '\na',
    'a\0',
    'a\t',
    ' host',
    'host ',
    'hôte',
    'a(b)',
  ),
  ...named(
    'a,b',
    'a;b',
    'a/b',
    'a[0]',
    'a{b}',
    'a=b',
    'a@b',
    'a"b',
    'a\\b',
    'host\u00a0',
    'ｈｏｓｔ',
    'ho\u017ft',
    'a\u2028',
  ),
  { key: repeated('a', 129), value: 'x' },
  // values with an end of line or what may become one
  ...[
    'x\r\nhost: y',
    'x\n',
    '\r',
    'x\n\n<body>',
    '\0',
    'x\0y',
    'x\u000b',
    'x\u000c',
    'x\u007f',
    'x\u0085',
    'x\u2028',
    'x\u010a',
  ],
  ...['č', '嘊嘍Set-Cookie: x', 'x\u0001', 'x\u001b[2J', 'ÿ', '\ud800'].map(String),
].map((entry) => (typeof entry === 'string' ? { key: 'x-a', value: entry } : entry))

export const LONG_VALUE: Hostile = { key: 'x-a', value: repeated('a', 4097) }
