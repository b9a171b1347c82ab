import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Whether no connection may be made to this address: all but plain global unicast, by the IANA special-purpose registries. IPv6 ranges
 * that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are refused whole, since what they reach is decided elsewhere.
 * A text that is not exactly an address is refused too.
 */
export function isBlockedAddress(address: string): boolean {
  switch (family(address)) {
    case 'ipv4':
      return SPECIAL_V4.check(address, 'ipv4');
    case 'ipv6':
      return !GLOBAL_V6.check(address, 'ipv6') || SPECIAL_V6.check(address, 'ipv6');
    default:
      return true;
  }
}

/** Whether this is an address of this machine or of a private network, and no metadata service of a cloud. */
export function isLocalAddress(address: string): boolean {
  const version = family(address);
  return version !== undefined && LOCAL.check(address, version) && !METADATA.check(address, version);
}

/** A zone such as `%eth0` names an interface of this machine, so an address with one is not global. */
function family(address: string): 'ipv4' | 'ipv6' | undefined {
  if (isIP(address) === 4) return 'ipv4';
  return isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined;
}

/** Each list holds one family only: a mapped range in a list of both would match every IPv4 address. */
function ranges(version: 'ipv4' | 'ipv6', subnets: readonly string[], list: BlockList = new BlockList()): BlockList {
  for (const subnet of subnets) {
    const [network, length] = subnet.split('/') as [string, string];
    list.addSubnet(network, Number(length), version);
  }
  return list;
}

/** https://www.iana.org/assignments/iana-ipv4-special-registry, multicast, and the platform address that Azure gives to its machines. */
const SPECIAL_V4 = ranges('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The only part of IPv6 from which global unicast addresses are given out (RFC 4291, section 2.4). */
const GLOBAL_V6 = ranges('ipv6', ['2000::/3']);

/** What https://www.iana.org/assignments/iana-ipv6-special-registry takes out of it again: protocols and Teredo, documentation, 6to4. */
const SPECIAL_V6 = ranges('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

const LOCAL = ranges('ipv6', ['::1/128', 'fc00::/7'], ranges('ipv4', ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']));

/** Metadata services that sit inside private ranges: those of AWS and of Google over IPv6. */
const METADATA = ranges('ipv6', ['fd00:ec2::/32', 'fd20:ce::/32']);
