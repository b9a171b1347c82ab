import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isBlockedAddress, isLocalAddress } from '../../../../hosts/node/src/egress/blocked-address.js';

interface Case {
  readonly id: string;
  readonly input: string;
  readonly expect: 'allow' | 'deny';
  readonly why: string;
}

const cases = readFileSync(new URL('../../../cases/security/ssrf_ip.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('an address', () => {
  it.each(cases.map((one) => [one.id, one] as const))('is judged as the corpus says, case %s', (_, { input, expect: expected, why }) => {
    expect(isBlockedAddress(input) ? 'deny' : 'allow', why).toBe(expected);
  });

  it.each([
    ['this host', ['0.0.0.0', '0.255.255.255']],
    ['private networks', ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255']],
    ['carriers', ['100.64.0.0', '100.127.255.255']],
    ['loopback', ['127.0.0.1', '127.255.255.255', '::1']],
    ['link-local', ['169.254.0.0', '169.254.169.254', '169.254.170.2', 'fe80::1', 'febf:ffff::1']],
    ['metadata elsewhere', ['100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254']],
    ['protocols and documentation', ['192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1']],
    ['benchmarks', ['198.18.0.1', '198.19.255.255', '2001:2::1']],
    ['multicast and what is reserved', ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1', '4000::1']],
    ['unique and site local', ['fc00::1', 'fdff:ffff::1', 'fec0::1']],
    ['mapped IPv4', ['::ffff:8.8.8.8', '::ffff:7f00:1', '::FFFF:7F00:0001', '0:0:0:0:0:ffff:c0a8:101']],
    ['compatible and translated IPv4', ['::', '::7f00:1', '::8.8.8.8', '::ffff:0:127.0.0.1']],
    ['NAT64, 6to4, Teredo, 6to4 relays', ['64:ff9b::808:808', '64:ff9b:1::1', '2002:808:808::1', '2001::1', '192.88.99.1']],
    ['discarded and segment routing', ['100::1', '5f00::1']],
    ['zones', ['fe80::1%eth0', '2606:4700::1%1']],
    [
      'no canonical text',
      ['', '127.1', '0x7f.1', '2130706433', '010.0.0.1', '127.0.0.1.', '[::1]', '1:2:3:4:5:6:7:8:9', 'localhost', '１.1.1.1'],
    ],
  ])('of %s is blocked', (_, addresses) => {
    expect(addresses.filter((address) => !isBlockedAddress(address))).toEqual([]);
  });

  it('of the public network is not blocked, right beside the blocked ranges too', () => {
    const open =
      '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 2001:200::1 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700::1111 3ffe:ffff::1';
    expect(open.split(' ').filter(isBlockedAddress)).toEqual([]);
  });

  it('is local on this machine or in a private network, never link-local or of a metadata service', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '10.1.1.1', '172.20.0.1', '192.168.1.1', 'fd12::1'].every(isLocalAddress)).toBe(true);
    const others = [
      '8.8.8.8',
      '169.254.169.254',
      'fe80::1',
      'fd00:ec2::254',
      'fd20:ce::254',
      '100.64.0.1',
      '0.0.0.0',
      '::',
      'localhost',
      '::1%lo',
    ];
    expect(others.filter(isLocalAddress)).toEqual([]);
  });
});
