// SPDX-License-Identifier: Apache-2.0
// A page of a file: address may not start a Worker. The search then runs in a hidden frame, on the page's own thread.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      this.frame.srcdoc = "<!doctype html><html><body></body></html>";
      this.frame.addEventListener("load", () => this.start(String(address)), { once: true });
      document.body.append(this.frame);
    }

    start(address) {
      const scope = this.frame.contentWindow;
      const load = (one) =>
        new Promise((resolve, reject) => {
          const script = scope.document.createElement("script");
          script.src = one;
          script.addEventListener("load", resolve);
          script.addEventListener("error", reject);
          scope.document.body.append(script);
        });
      scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      scope.importScripts = (...all) => all.reduce((before, one) => before.then(() => load(one)), Promise.resolve());
      load(address).then(() => {
        this.scope = scope;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
    }

    postMessage(data) {
      if (this.scope) {
        this.scope.dispatchEvent(new this.scope.MessageEvent("message", { data }));
      } else {
        this.waiting.push(data);
      }
    }

    terminate() {
      this.frame.remove();
    }
  };
}
