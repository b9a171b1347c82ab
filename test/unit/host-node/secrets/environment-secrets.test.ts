import { describe, expect, it } from 'vitest';
import { environmentSecrets } from '../../../../hosts/node/src/secrets/environment-secrets.js';

describe('secrets of the environment', () => {
  it('are found under our name first, then under the name of the vendor', async () => {
    const both = environmentSecrets({ RELAVIUM_SECRET_ANTHROPIC: 'apple', ANTHROPIC_API_KEY: 'pear' });
    expect(await both.read('anthropic')).toBe('apple');
    expect(await environmentSecrets({ ANTHROPIC_API_KEY: 'pear' }).read('anthropic')).toBe('pear');
    expect(await environmentSecrets({ RELAVIUM_SECRET_ANTHROPIC: '', ANTHROPIC_API_KEY: 'pear' }).read('anthropic')).toBe('pear');
  });

  it('have names in capitals, with an underscore for every other character', async () => {
    const secrets = environmentSecrets({ RELAVIUM_SECRET_OPENAI_COMPATIBLE: 'apple', RELAVIUM_SECRET_MY_API_2: 'pear' });
    expect(await secrets.read('openai-compatible')).toBe('apple');
    expect(await secrets.read('my.api-2')).toBe('pear');
    expect(await secrets.read('other')).toBeUndefined();
  });

  it('say where they are looked for, and never what they are', () => {
    const secrets = environmentSecrets({ GEMINI_API_KEY: 'apple' });
    expect(secrets.places('google').slice(0, 2)).toEqual([
      'the environment variable RELAVIUM_SECRET_GOOGLE',
      'the environment variable GEMINI_API_KEY',
    ]);
    expect(secrets.places('mine')).toEqual(['the environment variable RELAVIUM_SECRET_MINE']);
    expect(JSON.stringify(secrets)).not.toContain('apple');
  });

  it('are remembered once they are read, for masking', async () => {
    const secrets = environmentSecrets({ RELAVIUM_SECRET_A: 'apple', RELAVIUM_SECRET_B: 'pear' });
    expect(secrets.known()).toEqual([]);
    await secrets.read('a');
    await secrets.read('a');
    await secrets.read('missing');
    expect(secrets.known()).toEqual(['apple']);
  });

  it('are not found among what every object has', async () => {
    expect(await environmentSecrets({}).read('constructor')).toBeUndefined();
    expect(await environmentSecrets({}).read('__proto__')).toBeUndefined();
  });
});
