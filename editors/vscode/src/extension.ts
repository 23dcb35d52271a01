// Starts `orbit lsp` and lets it speak to the editor. All that is known of the languages is known
// by the server; here are settings, and what the protocol leaves to the client.

import * as vscode from "vscode";
import {
  ExecuteCommandSignature,
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
} from "vscode-languageclient/node";

/** The languages that the server reads. */
const LANGUAGES = ["promela", "b", "cspm"];

/** Files whose changes the server hears of, open or not. */
const WATCHED = "**/*.{pml,promela,prm,spin,pr,plite,h,inc,mch,ref,imp,sys,def,csp,cspm,fdr2,fdr3}";

/** Settings after whose change the server starts anew. */
const SETTINGS = ["orbit.path", "orbit.checkFlags", "orbit.symmetry"];

let client: LanguageClient | undefined;

/** What is checked is the file: a text that has changed is saved first. */
async function saveFirst(
  command: string,
  words: unknown[],
  next: ExecuteCommandSignature,
): Promise<unknown> {
  if (command === "orbit.check") {
    const uri = String(words[0] ?? "");
    const open = vscode.workspace.textDocuments;
    const document = open.find((one) => one.uri.toString() === vscode.Uri.parse(uri).toString());
    if (document?.isDirty && !(await document.save())) {
      return undefined;
    }
  }
  return next(command, words);
}

function create(): LanguageClient {
  const settings = vscode.workspace.getConfiguration("orbit");
  const program = settings.get<string>("path") || "orbit";
  const server: ServerOptions = { command: program, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    initializationOptions: {
      checkFlags: settings.get<string[]>("checkFlags") ?? [],
      symmetry: settings.get<boolean>("symmetry") ?? true,
    },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher(WATCHED) },
    middleware: { executeCommand: saveFirst },
  };
  return new LanguageClient("orbit", "Orbit", server, options);
}

async function start(): Promise<void> {
  const created = create();
  client = created;
  try {
    await created.start();
  } catch (why) {
    const program = vscode.workspace.getConfiguration("orbit").get<string>("path") || "orbit";
    const words = `Orbit: \`${program} lsp\` cannot be started (${String(why)}).`;
    const choice = await vscode.window.showErrorMessage(words, "Open settings");
    if (choice !== undefined) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "orbit.path");
    }
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  if (running?.needsStop()) {
    await running.stop();
  }
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

/** Called by the editor when a model is opened. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("orbit.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (changed) => {
      if (SETTINGS.some((name) => changed.affectsConfiguration(name))) {
        await restart();
      }
    }),
  );
  await start();
}

/** Called by the editor when it ends. */
export function deactivate(): Promise<void> {
  return stop();
}
