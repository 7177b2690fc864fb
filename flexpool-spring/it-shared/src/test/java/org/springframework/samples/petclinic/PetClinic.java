// SPDX-License-Identifier: Apache-2.0
package org.springframework.samples.petclinic;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose package begins like its framework's, with repositories behind controllers, which Spring finds here. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableJpaRepositories(considerNestedRepositories = true)
public class PetClinic {
    /** Made by Spring. */
    public PetClinic() {}

    @Bean
    Visits visits(Owners owners) {
        return new Visits(owners);
    }

    /** An entity. */
    @Entity
    public static class Owner {
        @Id
        @GeneratedValue
        private long id;

        private String name = "";

        /** For JPA. */
        protected Owner() {}

        Owner(String name) {
            this.name = name;
        }

        /** The owner's name. */
        public String name() {
            return name;
        }

        /** The owner's number. */
        public long id() {
            return id;
        }
    }

    /** Made by Spring Data. */
    public interface Owners extends JpaRepository<Owner, Long> {
        /** A query by the method's name. */
        List<Owner> findByNameStartingWith(String name);
    }

    /** Calls the repository itself. */
    @RestController
    static class OwnerController {
        private final Owners owners;

        OwnerController(Owners owners) {
            this.owners = owners;
        }

        @GetMapping("/owners")
        int find() {
            return owners.findByNameStartingWith("F").size();
        }
    }

    /** Has transactions. */
    public static class Visits {
        private final Owners owners;

        Visits(Owners owners) {
            this.owners = owners;
        }

        /** Two statements on one connection. */
        @Transactional
        public long add() {
            owners.save(new Owner("Franklin"));
            return owners.count();
        }
    }

    /** Calls through a transaction's proxy. */
    @RestController
    static class VisitController {
        private final Visits visits;

        VisitController(Visits visits) {
            this.visits = visits;
        }

        @PostMapping("/visits")
        long add() {
            return visits.add();
        }
    }
}
