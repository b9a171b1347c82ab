import { resolve } from 'node:path';
import {
  type Clock,
  type LanguageModel,
  ModelError,
  type ModelReference,
  type Models,
  type SourceRead,
  type SourceReader,
  type SourceText,
} from '@relavium/engine';
import type { SecretStore } from '../secrets/secret-store.js';
import { readSource } from '../source/read-source.js';
import { type ProviderName, providerProfiles } from './provider-profile.js';
import { openScript, parsedScript, type Script } from './scripted.js';

export interface ModelsOptions {
  readonly secrets: SecretStore;
  /** The way out: all that models say to their providers goes through it. */
  readonly egress: { readonly fetch: typeof fetch };
  readonly clock: Clock;
  /** Gives the scripts that agents name, from inside the project only. */
  readonly reader: SourceReader;
  /** The project; absolute. */
  readonly workspace: string;
  /** What paths of the person are relative to. Default: the project. */
  readonly cwd?: string;
  /** `PROVIDER:MODEL` for every agent. With `scripted:FILE` no key and no network is needed. */
  readonly override?: string;
  /** Of agents that name none. */
  readonly defaultProvider?: string;
}

/** The models of one run. A script starts anew with each of these. */
export function createModels(options: ModelsOptions): Models {
  const scripts = new Map<string, Script>();
  /** Making one costs as much as a turn does. */
  const opened = new Map<string, Promise<LanguageModel>>();
  const overriding = options.override === undefined ? undefined : overrideOf(options.override);
  return {
    async open(asked) {
      const reference = { ...asked, provider: asked.provider || (options.defaultProvider ?? ''), ...overriding };
      if (reference.provider === 'scripted') return scriptOf(reference, scripts, options).model(reference.agent, reference.model);
      const { provider, model, baseUrl = '' } = reference;
      const key = JSON.stringify([provider, model, baseUrl]);
      const known = opened.get(key) ?? openProvider(reference, options);
      opened.set(key, known);
      // What could not be opened now may be later, when a person has set a key.
      known.catch(() => opened.delete(key));
      return known;
    },
  };
}

/** What is wrong with a `PROVIDER:MODEL` of a person's, whose script is relative to `cwd`: it can be said before anything runs. */
export function overrideProblem(text: string, cwd: string): string | undefined {
  try {
    const { provider, model } = overrideOf(text);
    if (provider === 'scripted') parsedScript(scriptSource(readSource(resolve(cwd, model), model)));
    return undefined;
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}

function overrideOf(text: string): Pick<ModelReference, 'provider' | 'model'> {
  const colon = text.indexOf(':');
  const provider = colon === -1 ? text : text.slice(0, colon);
  if (colon === -1 || colon === text.length - 1) {
    throw new ModelError('provider_error', `"${text}" is no PROVIDER:MODEL such as scripted:turns.yaml`);
  }
  if (provider !== 'scripted') providerOf(provider);
  return { provider, model: text.slice(colon + 1) };
}

function providerOf(name: string): ProviderName {
  if (Object.hasOwn(providerProfiles, name)) return name as ProviderName;
  const known = [...Object.keys(providerProfiles), 'scripted'].join(', ');
  if (name === '') throw new ModelError('provider_error', `the agent names no provider, and no defaults do. There are: ${known}`);
  throw new ModelError('provider_error', `there is no provider "${name}". There are: ${known}`);
}

/** A person may name any file, an agent only one of its project. */
function scriptOf({ model }: ModelReference, scripts: Map<string, Script>, { clock, reader, ...options }: ModelsOptions): Script {
  const { workspace, cwd = workspace, override } = options;
  const path = model;
  const isOfPerson = override !== undefined;
  const known = scripts.get(path);
  if (known !== undefined) return known;
  const read = isOfPerson ? readSource(resolve(cwd, path), path) : reader.relative(resolve(workspace, 'agent'), path);
  const script = openScript(scriptSource(read), clock);
  scripts.set(path, script);
  return script;
}

function scriptSource(read: SourceRead): SourceText {
  if (read.ok) return read.source;
  throw new ModelError('provider_error', `the script of the scripted provider cannot be used: ${read.message}`);
}

async function openProvider(reference: ModelReference, { secrets, egress, clock }: ModelsOptions): Promise<LanguageModel> {
  const provider = providerOf(reference.provider);
  const baseUrl = baseUrlOf(provider, reference);
  const key = (await secrets.read(provider))?.trim();
  if (key === undefined && baseUrl === undefined) {
    throw new ModelError('provider_auth', `there is no key for ${provider}. Looked for in: ${secrets.places(provider).join(', ')}`);
  }
  // What talks to providers is loaded when one is talked to.
  const [{ adaptModel }, { nativeModel }] = await Promise.all([import('./adapter.js'), import('./native-model.js')]);
  const native = await nativeModel({ provider, model: reference.model, baseUrl, key, fetch: egress.fetch });
  return adaptModel(native, { profile: providerProfiles[provider], model: reference.model, now: clock.now, secrets: secrets.known });
}

/** Keys of a vendor go to that vendor only, so an address is for servers that have none of their own. */
function baseUrlOf(provider: ProviderName, { baseUrl }: ModelReference): string | undefined {
  if (provider !== 'openai-compatible' && provider !== 'local') return undefined;
  const example = provider === 'local' ? 'http://127.0.0.1:11434/v1' : 'https://models.example.com/v1';
  if (baseUrl === undefined || !URL.canParse(baseUrl)) {
    throw new ModelError('provider_error', `an agent of the provider ${provider} needs a base_url such as ${example}`);
  }
  if (provider === 'local' && !LOOPBACK.test(new URL(baseUrl).hostname)) {
    throw new ModelError('provider_error', `the base_url of a local model is an address of this machine such as ${example}`);
  }
  return baseUrl;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
