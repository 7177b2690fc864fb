// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.core.Configuration;
import io.dropwizard.db.DataSourceFactory;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

/** As an application declares it without flexpool. */
class OrdersConfiguration extends Configuration {
    @Valid
    @NotNull
    @JsonProperty
    DataSourceFactory database = new DataSourceFactory();
}
