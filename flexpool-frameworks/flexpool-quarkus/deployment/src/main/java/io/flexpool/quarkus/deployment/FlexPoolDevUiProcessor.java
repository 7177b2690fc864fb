// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import io.flexpool.quarkus.DevPools;
import io.quarkus.deployment.IsDevelopment;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.devui.spi.JsonRPCProvidersBuildItem;
import io.quarkus.devui.spi.page.CardPageBuildItem;
import io.quarkus.devui.spi.page.Page;

/** Adds a card to Quarkus' Dev UI, whose page shows the pools of the running application. */
final class FlexPoolDevUiProcessor {
    @BuildStep(onlyIf = IsDevelopment.class)
    CardPageBuildItem card() {
        CardPageBuildItem card = new CardPageBuildItem();
        card.addPage(Page.webComponentPageBuilder()
                .title("Pools")
                .icon("font-awesome-solid:gauge-high")
                .componentLink("qwc-flexpool-pools.js"));
        return card;
    }

    @BuildStep
    JsonRPCProvidersBuildItem figures() {
        return new JsonRPCProvidersBuildItem(DevPools.class);
    }
}
