// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application as any other: it takes orders and keeps them in a database. Nothing in its code knows of flexpool;
 * the starter stands in the POM, and what flexpool may do in application.properties.
 */
@SpringBootApplication
class OrdersApplication {}
