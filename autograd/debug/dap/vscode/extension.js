// Starts the user's program with BACKSTEP=dap and connects the editor with it: the program itself is the debug adapter.
'use strict';
const vscode = require('vscode');
const childProcess = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const patience = 60000;  // milliseconds, for a program to start
const programs = new Map();  // of sessions, by their ids

function delay(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// Other instruments that the user names run beside it.
function environment(configuration, socket) {
  const own = configuration.env || {};
  const others = own.BACKSTEP ? own.BACKSTEP + ',' : '';
  return { ...own, BACKSTEP: `${others}dap:${socket}` };
}

function startInConsole(configuration, socket) {
  const program = childProcess.spawn(configuration.program, configuration.args || [], {
    cwd: configuration.cwd, env: { ...process.env, ...environment(configuration, socket) }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const state = { failure: null, said: '', kill: () => program.kill('SIGKILL') };
  const show = (bytes) => vscode.debug.activeDebugConsole.append(bytes.toString());
  program.stdout.on('data', show);
  program.stderr.on('data', (bytes) => {
    state.said = (state.said + bytes).slice(-2000);
    show(bytes);
  });
  program.on('error', (error) => (state.failure = `${configuration.program} cannot be started: ${error.message}`));
  program.on('exit', (code, signal) => {
    state.ended = true;
    state.failure = `${configuration.program} ended with ${signal || code} before the debugger was there. ` +
      `Is it linked with Backstep? ${state.said}`;
  });
  return state;
}

// The editor closes a terminal whose program ends, and what it has said last would not be seen.
const untilEnter = '"$0" "$@"; printf "\\n[%s has ended with %s; Enter closes the terminal] " "$0" $?; read -r line';

function startInTerminal(configuration, socket) {
  const terminal = vscode.window.createTerminal({
    name: configuration.name, cwd: configuration.cwd, env: environment(configuration, socket),
    shellPath: '/bin/sh', shellArgs: ['-c', untilEnter, configuration.program, ...(configuration.args || [])],
  });
  terminal.show();
  return { failure: null, kill: () => {} };
}

// The program makes the socket when it is ready for the editor.
async function wait(state, socket) {
  for (let waited = 0; waited < patience; waited += 20) {
    if (fs.existsSync(socket)) return;
    if (state.failure) throw new Error(state.failure);
    await delay(20);
  }
  state.kill();
  throw new Error('The program has not said that it waits for an editor. Is it linked with Backstep?');
}

async function launch(session) {
  const configuration = session.configuration;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'backstep-'));
  const socket = path.join(folder, 'socket');
  const inTerminal = configuration.console === 'integratedTerminal';
  const state = (inTerminal ? startInTerminal : startInConsole)(configuration, socket);
  programs.set(session.id, { state, folder });
  await wait(state, socket);
  return new vscode.DebugAdapterNamedPipeServer(socket);
}

const factory = {
  createDebugAdapterDescriptor(session) {
    const { request, port, socket } = session.configuration;
    if (request === 'launch') return launch(session);
    return socket ? new vscode.DebugAdapterNamedPipeServer(socket) : new vscode.DebugAdapterServer(port || 4711, '127.0.0.1');
  },
};

// What a configuration leaves out. Without any, the user is asked for the program.
const provider = {
  async resolveDebugConfiguration(folder, configuration) {
    if (!configuration.type) {
      const chosen = await vscode.window.showOpenDialog({ title: 'The program to step through', canSelectMany: false });
      if (!chosen) return undefined;
      configuration = { type: 'backstep', request: 'launch', name: 'Step through backward()', program: chosen[0].fsPath };
    }
    const cwd = configuration.cwd || (folder ? folder.uri.fsPath : undefined);
    const directories = [...(configuration.directories || []), ...(cwd ? [cwd] : [])];
    const inFront = configuration.console === 'integratedTerminal' ? { internalConsoleOptions: 'neverOpen' } : {};
    return { ...inFront, ...configuration, cwd, directories };  // the debug console would cover the terminal
  },
};

// A program that runs without an op does not hear that the session has ended.
async function clean(session) {
  const started = programs.get(session.id);
  if (!started) return;
  programs.delete(session.id);
  fs.rmSync(started.folder, { recursive: true, force: true });
  await delay(1000);
  if (!started.state.ended) started.state.kill();
}

function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('backstep', factory),
    vscode.debug.registerDebugConfigurationProvider('backstep', provider),
    vscode.debug.onDidTerminateDebugSession(clean));
}

module.exports = { activate };
