// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.devui.tests.DevUIJsonRPCTest;
import io.quarkus.test.QuarkusDevModeTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page of the Dev UI is made of, in development mode: its script, and the figures that the script asks for. */
@Tag("scenario")
public class DevUiTest extends DevUIJsonRPCTest {
    @RegisterExtension
    static final QuarkusDevModeTest APPLICATION = new QuarkusDevModeTest()
            .withApplicationRoot(jar -> jar.add(new StringAsset("""
                            quarkus.devservices.enabled=false
                            quarkus.otel.sdk.disabled=true
                            quarkus.datasource.orders.db-kind=postgresql
                            quarkus.datasource.orders.jdbc.url=jdbc:postgresql://127.0.0.1:1/orders
                            quarkus.flexpool.pools.orders.base=3
                            quarkus.flexpool.ceiling=4
                            """), "application.properties"));

    public DevUiTest() {
        super("flexpool-quarkus");
    }

    @Test
    void thePageHasItsScriptAndTheFiguresOfThePools() throws Exception {
        JsonNode pools = executeJsonRPCMethod("pools");

        assertThat(pools).hasSize(1);
        assertThat(pools.get(0).get("name").asText()).isEqualTo("orders");
        assertThat(pools.get(0).get("limit").asInt()).isEqualTo(3);
        assertThat(pools.get(0).get("active").asInt()).isZero();

        HttpResponse<String> script = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://localhost:8080/q/dev-ui/flexpool-quarkus/qwc-flexpool-pools.js"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(script.statusCode()).isEqualTo(200);
        assertThat(script.body()).contains("customElements.define('qwc-flexpool-pools'");
    }
}
