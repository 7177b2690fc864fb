import { QwcHotReloadElement, html, css } from 'qwc-hot-reload-element';
import { JsonRpc } from 'jsonrpc';

/** The pools of the running application, read anew each second while the page is open. */
export class QwcFlexpoolPools extends QwcHotReloadElement {
    static styles = css`
        table { border-collapse: collapse; margin: 10px; }
        th, td { padding: 6px 14px; text-align: left; border-bottom: 1px solid var(--lumo-contrast-20pct); }
        td.figure { text-align: right; font-variant-numeric: tabular-nums; }
    `;

    static properties = {
        _pools: { state: true },
    };

    constructor() {
        super();
        this.jsonRpc = new JsonRpc(this);
        this._pools = [];
    }

    connectedCallback() {
        super.connectedCallback();
        this.hotReload();
        this._timer = setInterval(() => this.hotReload(), 1000);
    }

    disconnectedCallback() {
        clearInterval(this._timer);
        super.disconnectedCallback();
    }

    hotReload() {
        this.jsonRpc.pools().then(response => {
            this._pools = response.result;
        });
    }

    render() {
        return html`
            <table>
                <thead>
                    <tr>
                        <th>pool</th><th>mode</th><th>active</th><th>pending</th><th>limit</th><th>max</th><th>open</th><th>advice</th>
                    </tr>
                </thead>
                <tbody>${this._pools.map(pool => this._row(pool))}</tbody>
            </table>`;
    }

    _row(pool) {
        const figures = [pool.active, pool.pending, pool.limit, pool.max, pool.open];
        return html`
            <tr>
                <td>${pool.name}</td>
                <td>${pool.mode.toLowerCase()}</td>
                ${figures.map(figure => html`<td class="figure">${figure ?? '–'}</td>`)}
                <td>${pool.advice}</td>
            </tr>`;
    }
}
customElements.define('qwc-flexpool-pools', QwcFlexpoolPools);
